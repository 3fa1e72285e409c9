/**
 * From what is wrong with a value to sentences a model can act on: where, what was expected, what came.
 * @module
 */
import type { JsonSchema } from "../protocol/json-schema.js";
import { exampleHint } from "./describe-schema.js";
import { createScope } from "./keywords/table.js";
import type { Problem, Steps } from "./problem.js";
import { findProblems } from "./search.js";
import { showValue } from "./show-value.js";

/** At most this many problems are spelled out. */
const MOST_ISSUES = 20;

/** Of a long list of wrong items, the first ones are enough. */
const MOST_PROBLEMS = 1000;

/**
 * Every problem of a value that its validator refused, as one sentence each.
 *
 * @param schema The schema the validator was compiled from.
 * @param data What was validated.
 * @param noun What the members of the root object are called, such as `"argument"`.
 * @param shown What to show of it, where `data` is what JSON has made of something else.
 * @example
 * describeIssues(schema, { citty: "Oslo" }, "argument")
 * // ["missing argument `city` (a string)", "unknown argument `citty`; did you mean `city`?"]
 */
export function describeIssues(schema: JsonSchema, data: unknown, noun: string, shown = data): string[] {
  const problems = findProblems(schema, data, createScope(schema), MOST_PROBLEMS);
  const told = problems.slice(0, MOST_PROBLEMS).map((problem) => describeIssue(problem, shown, noun, schema));
  // What a reference to another document says is not known here.
  const all = [...new Set(told.length > 0 ? told : [`${subjectOf(noun)} must fit the schema`])];
  return listed(all, (each) => each, problems.length > MOST_PROBLEMS ? "many" : undefined);
}

/** The first of a long list of problems as sentences, and how many more there are. */
export function listed<T>(
  all: readonly T[],
  describe: (each: T) => string,
  more: number | "many" = all.length - MOST_ISSUES,
): string[] {
  const first = all.slice(0, MOST_ISSUES).map(describe);
  return all.length > MOST_ISSUES ? [...first, `and ${more} more problems`] : first;
}

/** To these keywords an example adds nothing. */
const CHOICES = new Set(["enum", "const"]);

/** A format's own example need not fit what else is asked of the text. */
const SHOWN_BY_FORMAT = new Set(["type", "format"]);

function describeIssue(problem: Problem, data: unknown, noun: string, root: JsonSchema): string {
  const { steps, keyword, member, requirement, schema } = problem;
  const isRoot = steps.length === 0;
  const place = joinPath(steps);
  if (member === undefined) {
    const subject = isRoot ? subjectOf(noun) : `\`${place}\``;
    const { examples, format } = schema;
    const shown: JsonSchema = {
      ...(examples && { examples }),
      ...(format && SHOWN_BY_FORMAT.has(keyword) && { format }),
    };
    const hint = CHOICES.has(keyword) ? "" : exampleHint(shown);
    const got = showValue(data, steps, root);
    return `${subject} must ${requirement(noun)}${hint} (got ${got})`;
  }
  const isMissing = keyword === "required";
  const kind = isRoot ? noun : "member";
  const named = isRoot || !isMissing ? `${kind} ` : "";
  const path = `${isRoot ? "" : `${place}.`}${clip(member)}`;
  return `${isMissing ? "missing" : "unknown"} ${named}\`${path}\`${requirement(kind)}`;
}

function subjectOf(noun: string): string {
  return noun === "member" ? "the value" : `the ${noun}s`;
}

function clip(name: string): string {
  return name.length > 64 ? `${name.slice(0, 63)}…` : name;
}

/** Steps into a value as people write them: `["trips", 0, "days"]` is `trips[0].days`. */
export function joinPath(steps: Steps): string {
  return steps
    .map((step, index) => {
      const text = clip(String(step));
      if (/^\d+$/.test(text)) return `[${text}]`;
      return index === 0 ? text : `.${text}`;
    })
    .join("");
}

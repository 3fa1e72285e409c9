/**
 * Turns the problems of a value into sentences that a model can act on: the path, what was
 * expected, and what was received.
 * @module
 */
import type { JsonSchema } from "../../protocol/json-schema.js";
import { formatExampleHint } from "../problems/describe-schema.js";
import { createScope } from "../problems/keywords/table.js";
import type { Problem } from "../problems/problem.js";
import { findProblems } from "../problems/search.js";
import { maskNames } from "../problems/secrets.js";
import { showValue } from "../problems/show-value.js";
import { joinPath } from "./paths.js";

/** Maximum number of problems that are described. */
const MAX_ISSUES = 20;

/** Number of problems after which the search stops. The first problems of a long list are enough. */
const MAX_PROBLEMS = 1000;

/**
 * Describes every problem of a value that its validator rejected, one sentence each.
 *
 * @param schema the schema from which the validator was compiled
 * @param data the rejected value
 * @param noun the name for members of the root object, such as `"argument"`
 * @param shown the value to show, if `data` is the JSON form of another value
 * @param scope the scope in which `data` was rejected
 * @example
 * describeIssues(schema, { citty: "Oslo" }, "argument")
 * // ["missing argument `city` (a string)", "unknown argument `citty`; did you mean `city`?"]
 */
export function describeIssues(
  schema: JsonSchema,
  data: unknown,
  noun: string,
  shown = data,
  scope = createScope(schema),
): string[] {
  const problems = findProblems(schema, data, scope, MAX_PROBLEMS);
  // If no problem was found, the schema refers to another document, whose rules are unknown here.
  if (problems.length === 0) return [`${getSubject(noun)} must fit the schema`];
  return describeFirst(
    withoutRepeated(problems.slice(0, MAX_PROBLEMS), noun),
    (problem) => describeIssue(problem, shown, noun, schema),
    problems.length > MAX_PROBLEMS ? "many" : undefined,
  );
}

/** Removes problems whose sentences would repeat earlier ones. Writing all sentences of a deep value would take long. */
function withoutRepeated(problems: readonly Problem[], noun: string): Problem[] {
  const keys = new Set<string>();
  return problems.filter(({ steps, member, requirement }) => {
    const key = JSON.stringify([steps, member, requirement(noun)]);
    const isRepeated = keys.has(key);
    keys.add(key);
    return !isRepeated;
  });
}

/** Describes the first problems of a list, and reports how many more there are. */
export function describeFirst<T>(
  all: readonly T[],
  describe: (each: T) => string,
  more: number | "many" = all.length - MAX_ISSUES,
): string[] {
  const first = all.slice(0, MAX_ISSUES).map(describe);
  return all.length > MAX_ISSUES ? [...first, `and ${more} more problems`] : first;
}

function describeIssue(problem: Problem, data: unknown, noun: string, root: JsonSchema): string {
  const { steps, keyword, member, requirement, schema } = problem;
  const isRoot = steps.length === 0;
  const path = joinPath(maskNames(root, member === undefined ? steps : [...steps, member]));
  if (member === undefined) {
    const subject = isRoot ? getSubject(noun) : `\`${path}\``;
    const { examples, format } = schema;
    const shown: JsonSchema = {
      ...(examples && { examples }),
      // The example of a format may violate the other keywords of the schema.
      ...(format && /^(type|format)$/.test(keyword) && { format }),
    };
    // An example adds nothing to choices.
    const hint = /^(enum|const)$/.test(keyword) ? "" : formatExampleHint(shown);
    const got = showValue(data, steps, root);
    return `${subject} must ${requirement(noun)}${hint} (got ${got})`;
  }
  const isMissing = keyword === "required";
  const kind = isRoot ? noun : "member";
  const named = isRoot || !isMissing ? `${kind} ` : "";
  return `${isMissing ? "missing" : "unknown"} ${named}\`${path}\`${requirement(kind)}`;
}

function getSubject(noun: string): string {
  return noun === "member" ? "the value" : `the ${noun}s`;
}

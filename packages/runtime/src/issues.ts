/**
 * From what is wrong with a value to sentences a model can act on: where, what was expected, what came.
 * @module
 */
import type { ValidationError } from "./application.js";
import { isObject } from "./jsonrpc.js";
import type { JsonSchema, JsonValue } from "./json-schema.js";
import { nearestName } from "./nearest-name.js";
import type { FormatChecks } from "./formats.js";
import { findProblems } from "./problems.js";
import { describe, example, show } from "./schema-words.js";
import { holdsSecrets, MASK, withoutSecrets } from "./secrets.js";
import { atPointer, matches, resolve, unescapePointer, structure } from "./schema-match.js";

/** At most this many problems are spelled out. */
const MOST_ISSUES = 20;

/** Of a long list of wrong items, the first ones say it all. */
const MOST_ERRORS = 1000;

/**
 * Every problem of a value that its validator refused, as one sentence each. What stands in members marked as
 * secret is not shown.
 *
 * @param reported What the validator found; a validator that only says yes or no reports nothing.
 * @param schema The schema the validator was compiled from.
 * @param data What was validated.
 * @param noun What the members of the root object are called, such as `"argument"`.
 * @example
 * describeIssues([], schema, { citty: "Oslo" }, "argument", formats)
 * // ["missing argument `city` (string)", "unknown argument `citty`; did you mean `city`?"]
 */
export function describeIssues(
  reported: readonly ValidationError[],
  schema: JsonSchema,
  data: unknown,
  noun: string,
  formats: FormatChecks,
): string[] {
  const errors = reported.length > 0 ? reported : findProblems(schema, data, formats, MOST_ERRORS);
  const sentences = new Set<string>();
  const secretive = holdsSecrets(schema);
  for (const error of withoutBranches(errors.slice(0, MOST_ERRORS), schema, data)) {
    sentences.add(describeIssue(error, schema, data, noun, secretive));
  }
  // A form that came into being while the server runs may hold what nothing here puts into words.
  if (sentences.size === 0) sentences.add(`${subjectOf(noun)} must fit the schema`);
  const all = [...sentences];
  if (all.length <= MOST_ISSUES) return all;
  const more = errors.length > MOST_ERRORS ? "many" : String(all.length - MOST_ISSUES);
  return [...all.slice(0, MOST_ISSUES), `and ${more} more problems`];
}

/**
 * The errors without those that only say why each alternative of a union does not fit, unless the value makes
 * clear which alternative was meant: then that one's errors stand instead of the union's.
 */
function withoutBranches(
  errors: readonly ValidationError[],
  root: JsonSchema,
  data: unknown,
): readonly ValidationError[] {
  let kept: ValidationError[] = [];
  for (const error of errors) {
    if (error.keyword === "if") continue;
    if (error.keyword !== "anyOf" && error.keyword !== "oneOf") {
      kept.push(error);
      continue;
    }
    const isInside = (other: ValidationError): boolean =>
      other.instancePath === error.instancePath || other.instancePath.startsWith(`${error.instancePath}/`);
    const intended = intendedBranch(error, root, valueAt(data, error.instancePath));
    const ofBranch = intended === undefined ? [] : kept.filter((other) => isInside(other) && intended(other));
    kept = kept.filter((other) => !isInside(other));
    kept.push(...(ofBranch.length > 0 ? ofBranch : [error]));
  }
  return kept;
}

/** Picks the errors of the alternative whose constant members the value has. */
function intendedBranch(
  error: ValidationError,
  root: JsonSchema,
  value: unknown,
): ((other: ValidationError) => boolean) | undefined {
  const branches = branchesOf(error, root);
  const fitting = branches
    .map((branch, index) => ({ branch: resolve(branch, root), ref: branch.$ref, index }))
    .filter(({ branch }) => branch !== undefined && couldBe(branch, value, root));
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) return undefined;
  const prefix = only.ref ?? `${error.schemaPath}/${only.index}`;
  return (other) => other.schemaPath.startsWith(`${prefix}/`);
}

/** True when the value has the branch's JSON type and its discriminating constants. */
function couldBe(branch: JsonSchema, value: unknown, root: JsonSchema): boolean {
  if (branch.type !== undefined && !matches({ type: branch.type }, value, structure(root))) return false;
  if (!isObject(value)) return branch.type !== undefined;
  return Object.entries(branch.properties ?? {}).every(([name, member]) => {
    const constant = resolve(member, root);
    if (constant === undefined || (constant.enum === undefined && !Object.hasOwn(constant, "const")))
      return true;
    return !(branch.required ?? []).includes(name) || matches(constant, value[name], structure(root));
  });
}

function branchesOf(error: ValidationError, root: JsonSchema): JsonSchema[] {
  const parent = atPointer(root, error.schemaPath.slice(0, error.schemaPath.lastIndexOf("/")));
  const branches = error.keyword === "anyOf" ? parent?.anyOf : parent?.oneOf;
  return Array.isArray(branches) ? branches : [];
}

function describeIssue(
  error: ValidationError,
  root: JsonSchema,
  data: unknown,
  noun: string,
  secretive: boolean,
): string {
  const { params, keyword, instancePath } = error;
  const isRoot = instancePath === "";
  const where = pathText(instancePath);
  const parent = atPointer(root, error.schemaPath.slice(0, error.schemaPath.lastIndexOf("/")));
  if (keyword === "required" || keyword === "dependentRequired") {
    const name = String(params.missingProperty);
    const schema =
      parent?.properties && Object.hasOwn(parent.properties, name) ? parent.properties[name] : undefined;
    const hint = schema === undefined ? "" : ` (${describe(schema, root)}${exampleHint(schema)})`;
    return isRoot ? `missing ${noun} \`${name}\`${hint}` : `missing \`${where}.${name}\`${hint}`;
  }
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const name = String(params.additionalProperty ?? params.unevaluatedProperty);
    return isRoot
      ? `unknown ${noun} \`${clip(name)}\`${suggestion(name, parent, noun)}`
      : `unknown member \`${where}.${clip(name)}\`${suggestion(name, parent, "member")}`;
  }
  const value = valueAt(data, instancePath);
  const subject = isRoot ? subjectOf(noun) : `\`${where}\``;
  const shown = secretive ? withoutSecrets(root, data, steps(instancePath)) : value;
  const got = shown === MASK ? "a secret value" : show(shown);
  return `${subject} ${expectation(error, parent, root, value)} (got ${got})`;
}

function subjectOf(noun: string): string {
  return noun === "member" ? "the value" : `the ${noun}s`;
}

function suggestion(name: string, parent: JsonSchema | undefined, noun: string): string {
  const names = Object.keys(parent?.properties ?? {});
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `; did you mean \`${nearest}\`?`;
  if (names.length === 0) return `; there are no ${noun}s`;
  return names.length > 12 ? "" : `; valid: ${names.map((each) => `\`${each}\``).join(", ")}`;
}

/** "must …", for everything but missing and unknown members. */
function expectation(
  error: ValidationError,
  parent: JsonSchema | undefined,
  root: JsonSchema,
  value: unknown,
): string {
  const { params, keyword } = error;
  const limit = String(params.limit);
  switch (keyword) {
    case "type":
      return `must be ${parent === undefined ? words(params.type) : describe(parent, root)}`;
    case "enum":
      return oneOfConstants(params.allowedValues as JsonValue[], value);
    case "const":
      return `must be ${show(params.allowedValue)}`;
    case "anyOf":
    case "oneOf":
      return `must be ${parent === undefined ? "one of the alternatives" : describe(parent, root)}`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "exclusiveMinimum":
      return `must be more than ${limit}`;
    case "exclusiveMaximum":
      return `must be less than ${limit}`;
    case "multipleOf":
      return `must be a multiple of ${String(params.multipleOf)}`;
    case "minLength":
      return `must have at least ${count(params.limit, "character")}`;
    case "maxLength":
      return `must have at most ${count(params.limit, "character")}`;
    case "minItems":
      return `must have at least ${count(params.limit, "item")}`;
    case "maxItems":
    case "items":
      return `must have at most ${count(params.limit, "item")}`;
    case "minProperties":
      return `must have at least ${count(params.limit, "member")}`;
    case "maxProperties":
      return `must have at most ${count(params.limit, "member")}`;
    case "uniqueItems":
      return "must not hold the same item twice";
    case "pattern":
      return `must match the pattern ${String(params.pattern)}${parent ? exampleHint(parent) : ""}`;
    case "format":
      return `must be a valid ${String(params.format)}${parent ? exampleHint(parent) : ""}`;
    default:
      return error.message ?? `does not satisfy "${keyword}"`;
  }
}

function oneOfConstants(allowed: readonly JsonValue[], value: unknown): string {
  const listed = allowed.slice(0, 20).map((item) => show(item));
  if (allowed.length > listed.length) listed.push(`… (${allowed.length} in all)`);
  const list = allowed.length === 1 ? `must be ${listed.join("")}` : `must be one of ${listed.join(", ")}`;
  const texts = allowed.filter((item) => typeof item === "string");
  const nearest = typeof value === "string" ? nearestName(value, texts) : undefined;
  return nearest === undefined ? list : `${list}; did you mean ${show(nearest)}?`;
}

function exampleHint(schema: JsonSchema): string {
  const sample = example(schema);
  return sample === undefined ? "" : `, such as ${show(sample)}`;
}

function words(type: unknown): string {
  return Array.isArray(type) ? type.join(" or ") : String(type);
}

function count(limit: unknown, noun: string): string {
  return `${String(limit)} ${noun}${limit === 1 ? "" : "s"}`;
}

function clip(name: string): string {
  return name.length > 64 ? `${name.slice(0, 63)}…` : name;
}

function valueAt(data: unknown, instancePath: string): unknown {
  let current = data;
  for (const step of steps(instancePath)) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}

function steps(instancePath: string): string[] {
  return instancePath
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** `/trips/0/days` as `trips[0].days`. */
export function pathText(instancePath: string): string {
  return joinPath(instancePath.split("/").slice(1).map(unescapePointer));
}

/** Steps into a value as people write them: `["trips", 0, "days"]` is `trips[0].days`. */
export function joinPath(steps: readonly (string | number)[]): string {
  return steps
    .map((step, index) => {
      const text = clip(String(step));
      if (/^\d+$/.test(text)) return `[${text}]`;
      return index === 0 ? text : `.${text}`;
    })
    .join("");
}

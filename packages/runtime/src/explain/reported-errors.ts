/**
 * The problems that reporting validators find: validators of schemas with keywords that the runtime does not know,
 * which authors write themselves.
 * @module
 */
import type { ValidationError } from "../assembly/application.js";
import { atPointer, type JsonSchema } from "../protocol/json-schema.js";
import { describeSchema } from "./describe-schema.js";
import { possibleAlternatives } from "./intended-alternative.js";
import { reportMissing, reportUnknown } from "./keywords/objects.js";
import type { Problem, Requirement } from "./problem.js";
import { collect, report, type Scope, type Search } from "./search.js";

/** Of what is wrong with one value by the alternative that was meant, so much is told. */
const MOST_OF_UNION = 32;

/** The problems that a validator reports, as they would have been found from the schema. */
export function problemsOf(errors: readonly ValidationError[], data: unknown, scope: Scope): Problem[] {
  return withoutBranches(errors, data, { ...scope, known: new Map() }).map((each) =>
    "steps" in each ? each : problemOf(each, data, scope),
  );
}

function problemOf(error: ValidationError, data: unknown, { root, checks }: Scope): Problem {
  const { keyword, params } = error;
  const path = stepsOf(error.instancePath);
  const value = valueAt(data, path);
  const found = schemaOf(error, root);
  // The path of a type that refers to itself may begin at that type; what it says stands last among the parameters.
  const schema = found?.[keyword] === undefined ? { [keyword]: Object.values(params).at(-1) } : found;
  const search: Search = { root, checks, found: [], path, most: 0 };
  const unknown = params.additionalProperty ?? params.unevaluatedProperty;
  if (params.missingProperty !== undefined)
    reportMissing(String(params.missingProperty), value, schema, search);
  else if (unknown !== undefined) reportUnknown(String(unknown), value, schema, search);
  else report(search, { keyword, schema, value, requirement: requirementOf(error, value, schema, search) });
  const [problem] = search.found as [Problem];
  return problem;
}

function requirementOf(
  { keyword, message = `must satisfy "${keyword}"` }: ValidationError,
  value: unknown,
  schema: JsonSchema,
  search: Search,
): Requirement {
  if (keyword === "anyOf" || keyword === "oneOf") return () => `be ${describeSchema(schema, search.root)}`;
  for (const { keyword: name, check } of search.checks) {
    if (name !== keyword || schema[keyword] === undefined) continue;
    const requirement = check(schema[keyword] as never, value as never, schema, search);
    if (requirement) return requirement;
  }
  const [, requirement = "be left out"] = /^must (.*)/.exec(message) ?? [];
  return () => requirement;
}

/** What is kept of the errors so far. */
interface Kept {
  /** The `instancePath` of its value. */
  place: string;
  each: ValidationError | Problem;
  /** True for what is wrong by the intended alternative of a union. */
  isOfUnion?: boolean;
}

/**
 * The errors without those that only say why each alternative of a union does not fit, unless the value makes
 * clear which alternative was meant: then what is wrong by that one stands instead of the union's.
 */
function withoutBranches(
  errors: readonly ValidationError[],
  data: unknown,
  scope: Scope,
): (ValidationError | Problem)[] {
  const kept: Kept[] = [];
  for (const error of errors) {
    const { keyword, instancePath: place } = error;
    if (keyword === "if") continue;
    if (keyword !== "anyOf" && keyword !== "oneOf") {
      kept.push({ place, each: error });
      continue;
    }
    // The alternatives have reported just before, about the value or something inside of it.
    const isInside = (other: Kept): boolean => other.place === place || other.place.startsWith(`${place}/`);
    const inside = kept.splice(kept.findLastIndex((other) => !isInside(other)) + 1);
    for (const each of ofUnion(error, inside, data, scope)) kept.push({ ...each, isOfUnion: true });
  }
  return kept.map(({ each }) => each);
}

/** The problems to tell of a union that a value does not fit. */
function ofUnion(error: ValidationError, inside: readonly Kept[], data: unknown, scope: Scope): Kept[] {
  const itself = { place: error.instancePath, each: error };
  const prefix = intendedPrefix(error, data, scope);
  const isReported = ({ each }: Kept): boolean =>
    prefix !== undefined && !("steps" in each) && each.schemaPath.startsWith(prefix);
  const reported = inside.filter(isReported);
  // What is further inside may have its path from another definition.
  const found = problemsOfUnion(error, data, scope).filter(
    ({ place }) => !reported.some((other) => other.place === place),
  );
  const ofIntended = [...reported, ...found];
  if (ofIntended.length > 0) return ofIntended;
  const further = inside.filter(({ place, isOfUnion }) => isOfUnion === true && place !== itself.place);
  return prefix !== undefined && further.length > 0 ? further : [itself];
}

/** The problems of a union that are found from the schema alone. */
function problemsOfUnion(error: ValidationError, data: unknown, scope: Scope): Kept[] {
  const { keyword, instancePath } = error;
  const path = stepsOf(instancePath);
  const search: Search = { ...scope, found: [], path, most: MOST_OF_UNION };
  collect({ [keyword]: schemaOf(error, scope.root)?.[keyword] }, valueAt(data, path), search);
  return search.found.map((each) => ({
    place: each.steps.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    each,
  }));
}

/** How the schema paths begin in the alternative that was clearly meant. */
function intendedPrefix(error: ValidationError, data: unknown, scope: Scope): string | undefined {
  const value = valueAt(data, stepsOf(error.instancePath));
  const branches = (schemaOf(error, scope.root)?.[error.keyword] ?? []) as JsonSchema[];
  const [only, ...others] = possibleAlternatives(value, branches, scope);
  if (only === undefined || others.length > 0) return undefined;
  return `${only.$ref ?? `${error.schemaPath}/${branches.indexOf(only)}`}/`;
}

/** The schema that has the keyword. */
function schemaOf({ schemaPath }: ValidationError, root: JsonSchema): JsonSchema | undefined {
  return atPointer(root, schemaPath.slice(0, schemaPath.lastIndexOf("/")));
}

function valueAt(data: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)[step] : undefined,
    data,
  );
}

function stepsOf(instancePath: string): string[] {
  return instancePath
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

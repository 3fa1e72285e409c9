/**
 * What validators report that say themselves what is wrong: those of schemas with keywords that the runtime does not
 * know, which authors write themselves.
 * @module
 */
import type { ValidationError } from "../application.js";
import { atPointer, type JsonSchema, resolve } from "../json-schema.js";
import { couldBe } from "./alternatives.js";
import { reportMissing, reportUnknown } from "./plain-keywords.js";
import { report } from "./problems.js";
import type { Problem, Scope, Search, Words } from "./vocabulary.js";

/** Problems as they would have been found from the schema. */
function translate(errors: readonly ValidationError[], data: unknown, scope: Scope): Problem[] {
  return withoutBranches(errors, data, scope).map((error) => problemOf(error, data, scope));
}

function problemOf(error: ValidationError, data: unknown, { root, vocabulary }: Scope): Problem {
  const { keyword, params } = error;
  const path = stepsOf(error.instancePath);
  const value = valueAt(data, path);
  const found = schemaOf(error, root);
  // The path of a type that refers to itself may begin at that type; what it says stands last among the parameters.
  const schema = found?.[keyword] === undefined ? { [keyword]: Object.values(params).at(-1) } : found;
  const search: Search = { root, vocabulary, found: [], path, most: 0 };
  const unknown = params.additionalProperty ?? params.unevaluatedProperty;
  if (params.missingProperty !== undefined)
    reportMissing(String(params.missingProperty), value, schema, search);
  else if (unknown !== undefined) reportUnknown(String(unknown), value, schema, search);
  else report(search, { keyword, schema, value, words: wordsFor(error, value, schema, search) });
  const [problem] = search.found as [Problem];
  return problem;
}

function wordsFor(
  { keyword, message = `must satisfy "${keyword}"` }: ValidationError,
  value: unknown,
  schema: JsonSchema,
  search: Search,
): Words {
  if (keyword === "anyOf" || keyword === "oneOf")
    return () => `be ${search.vocabulary.describe(schema, search)}`;
  for (const rule of search.vocabulary.rulesOf(schema)) {
    if (rule.keyword !== keyword) continue;
    const words = rule.check(schema[keyword] as never, value as never, schema, search);
    if (words) return words;
  }
  const [, words = "be left out"] = /^must (.*)/.exec(message) ?? [];
  return () => words;
}

/**
 * The errors without those that only say why each alternative of a union does not fit, unless the value makes
 * clear which alternative was meant: then that one's errors stand instead of the union's.
 */
function withoutBranches(errors: readonly ValidationError[], data: unknown, scope: Scope): ValidationError[] {
  let kept: ValidationError[] = [];
  for (const error of errors) {
    const { keyword, instancePath } = error;
    if (keyword === "if") continue;
    if (keyword !== "anyOf" && keyword !== "oneOf") {
      kept.push(error);
      continue;
    }
    const isInside = (other: ValidationError): boolean =>
      other.instancePath === instancePath || other.instancePath.startsWith(`${instancePath}/`);
    const prefix = intendedPrefix(error, data, scope);
    const ofBranch = kept.filter(
      (other) => isInside(other) && prefix !== undefined && other.schemaPath.startsWith(prefix),
    );
    kept = kept.filter((other) => !isInside(other));
    kept.push(...(ofBranch.length > 0 ? ofBranch : [error]));
  }
  return kept;
}

/** How the schema paths begin in the alternative that was clearly meant. */
function intendedPrefix(error: ValidationError, data: unknown, scope: Scope): string | undefined {
  const value = valueAt(data, stepsOf(error.instancePath));
  const branches = (schemaOf(error, scope.root)?.[error.keyword] ?? []) as JsonSchema[];
  const prefixes = branches.flatMap((branch, index) =>
    couldBe(resolve(branch, scope.root), value, scope)
      ? [`${branch.$ref ?? `${error.schemaPath}/${index}`}/`]
      : [],
  );
  return prefixes.length === 1 ? prefixes[0] : undefined;
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

/** Validators that report what is wrong themselves. */
export const reports = { translate };

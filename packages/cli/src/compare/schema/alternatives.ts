/**
 * Compares the alternatives of two schemas: those of `anyOf` and `oneOf`, and the types and values that a schema lists.
 * The order of alternatives, and how types are shared or split among them, has no effect on values.
 * @module
 */
import { findKeyword } from "@tenon/compiler/keywords";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { isDeepStrictEqual } from "node:util";
import type { Resolved } from "./references.js";
import { createChange, type Location, type Schema, type SchemaChange } from "./schema-change.js";

/** Compares two schemas at one location. */
type Compare = (before: Schema, after: Schema) => readonly SchemaChange[];

/** Returns the alternatives that a schema lists. Those of `oneOf` must exclude each other, which is certain only for constants. */
function getBranches({ anyOf, oneOf }: JsonSchema): readonly Schema[] | undefined {
  if (anyOf !== undefined && oneOf !== undefined) return undefined;
  const isExclusive = oneOf?.every((each) => each.const !== undefined) === true;
  return anyOf ?? (isExclusive ? oneOf : undefined);
}

/** Returns whether a schema lists alternatives. */
export function hasAlternatives(schema: JsonSchema): boolean {
  return getBranches(schema) !== undefined;
}

/**
 * Lists the alternatives of a schema, or the schema itself if it has none. Each item of a list of types or values is an
 * alternative.
 *
 * @param follow follows the references at the root of a schema
 * @returns undefined if an alternative cannot be written as one schema
 */
export function listAlternatives(
  schema: JsonSchema,
  follow: (schema: Schema) => Resolved,
  parents: readonly Schema[] = [],
): Schema[] | undefined {
  const branches = getBranches(schema);
  if (branches !== undefined) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...others } = schema;
    const shared = keepAssertions(others);
    const lists = branches.map((branch) => {
      const { schema: followed, target } = follow(branch);
      if (parents.includes(target) || followed === false) return [];
      const own = typeof followed === "object" ? followed : {};
      const isMergeable = Object.entries(own).every(
        ([name, value]) => !Object.hasOwn(shared, name) || isDeepStrictEqual(shared[name], value),
      );
      return isMergeable ? listAlternatives({ ...shared, ...own }, follow, [...parents, target]) : undefined;
    });
    return lists.includes(undefined) ? undefined : lists.flatMap((list) => list ?? []);
  }
  if (schema.enum !== undefined && schema.const === undefined) {
    const { enum: values, ...rest } = schema;
    return values.map((value) => ({ ...rest, const: value }));
  }
  if (!Array.isArray(schema.type)) return [schema];
  return schema.type.map((type) => {
    const own = Object.entries(schema).filter(([name]) => appliesTo(name, type));
    return { ...Object.fromEntries(own), type };
  });
}

/** Compares two lists of alternatives. */
export function compareAlternatives(
  before: readonly Schema[],
  after: readonly Schema[],
  at: Location,
  compare: Compare,
): SchemaChange[] {
  const compared = new Map(
    before.map((earlier) => [earlier, new Map(after.map((current) => [current, compare(earlier, current)]))]),
  );
  const getChanges = (earlier: Schema, current: Schema): readonly SchemaChange[] =>
    compared.get(earlier)?.get(current) ?? [];
  const has = (kind: "fewer" | "more", changes: readonly SchemaChange[]): boolean =>
    changes.some(({ change }) => change === kind || change === "unknown");
  const equals = (earlier: Schema, current: Schema): boolean =>
    !has("fewer", getChanges(earlier, current)) && !has("more", getChanges(earlier, current));
  const isLost = (earlier: Schema): boolean =>
    after.every((current) => has("fewer", getChanges(earlier, current)));
  const isGained = (current: Schema): boolean =>
    before.every((earlier) => has("more", getChanges(earlier, current)));

  const unpairedBefore = new Set(before);
  const unpairedAfter = new Set(after);
  const pair = (isPair: (earlier: Schema, current: Schema) => boolean): SchemaChange[] =>
    [...unpairedAfter].flatMap((current) => {
      const earlier = [...unpairedBefore].find((each) => isPair(each, current));
      if (earlier === undefined) return [];
      unpairedBefore.delete(earlier);
      unpairedAfter.delete(current);
      const [lost, gained] = [isLost(earlier), isGained(current)];
      return getChanges(earlier, current).filter(
        ({ change }) => (change !== "fewer" || lost) && (change !== "more" || gained),
      );
    });
  const isOnly = (all: ReadonlySet<Schema>, each: Schema, key: string): boolean =>
    [...all].every((other) => other === each || getDistinction(other) !== key);
  const changes = [
    ...pair(isDeepStrictEqual),
    ...pair(equals),
    ...pair((earlier, current) => {
      const key = getDistinction(earlier);
      return (
        key === getDistinction(current) &&
        isOnly(unpairedBefore, earlier, key) &&
        isOnly(unpairedAfter, current, key)
      );
    }),
  ];
  const lost = [...unpairedBefore].filter(isLost);
  const gained = [...unpairedAfter].filter(isGained);
  const [onlyLost, onlyGained] = [lost[0], gained[0]];
  if (lost.length === 1 && gained.length === 1) return [...changes, ...getChanges(onlyLost, onlyGained)];
  return [
    ...changes,
    ...(lost.length > 0 ? [createChange("fewer", at, `can no longer be ${describe(lost)}`)] : []),
    ...(gained.length > 0 ? [createChange("more", at, `can also be ${describe(gained)}`)] : []),
  ];
}

/** Returns what distinguishes an alternative from others: the constants of its members, or else its type. */
function getDistinction(schema: Schema): string {
  if (typeof schema !== "object") return "";
  const constants = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    typeof member === "object" && member.const !== undefined ? [[name, member.const]] : [],
  );
  return JSON.stringify([
    schema.type ?? null,
    schema.const === undefined ? null : typeof schema.const,
    constants,
  ]);
}

function describe(alternatives: readonly Schema[]): string {
  const texts = alternatives.map((each) => {
    if (typeof each !== "object") return "any value";
    if (each.const !== undefined) return JSON.stringify(each.const);
    const constant = Object.entries(each.properties ?? {}).find(
      ([, member]) => typeof member === "object" && member.const !== undefined,
    );
    if (constant) return `an object with \`${constant[0]}\` ${JSON.stringify(constant[1].const)}`;
    return each.title ?? (each.type === undefined ? "any value" : [each.type].flat().join(" or "));
  });
  return [...new Set(texts)].join(", ");
}

/** Returns the keywords of a schema that restrict its values. Keywords that describe the values apply to all alternatives together. */
function keepAssertions(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => findKeyword(name)?.role !== "annotation"),
  );
}

/** Returns whether a keyword has an effect on values of a type. */
function appliesTo(keyword: string, type: string): boolean {
  const of: readonly string[] | undefined = findKeyword(keyword)?.of;
  return of === undefined || of.includes(type === "integer" ? "number" : type);
}

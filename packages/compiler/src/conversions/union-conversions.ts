import type { Conversion, JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { hasReference, resolveTarget, withDefs, type Definitions } from "../json-schema/definitions.js";
import type { SchemaFragment } from "../json-schema/fragment.js";
import { withoutAnnotations } from "../json-schema/annotations.js";

const ALL: readonly JsonTypeName[] = ["null", "boolean", "number", "string", "array", "object"];

/** The value that distinguishes the alternatives of a union: received JSON, or a handler's return value. */
export type ConvertedFrom = "json" | "value";

/**
 * Returns the conversion of a union. Each branch with a conversion gets the smallest condition that distinguishes it
 * from the others. A value that JSON cannot distinguish (`Date | string`) is not converted, which its type allows. For a
 * handler's return value, the value itself is tested.
 *
 * @param defs the definitions that branches refer to; without it, branches with references have their own schemas as
 *   conditions until `finalizeConversions` runs
 */
export function joinConversions(
  branches: readonly SchemaFragment[],
  from: ConvertedFrom,
  defs?: Definitions,
): Conversion | undefined {
  const converting = branches.filter((branch) => branch.conversion);
  const [only] = converting;
  if (!only?.conversion) return undefined;
  if (branches.length === 1) return only.conversion;
  if (!defs && branches.some(({ schema }) => hasReference(schema))) {
    const open = branches.map(({ schema, conversion }) => ({ when: schema, convert: conversion ?? null }));
    return { kind: "union", branches: open };
  }
  if (converting.length === 1 && needsNoCondition(only, branches, from, defs ?? {})) return only.conversion;
  return joinWithConditions(branches, from, defs ?? {});
}

/** Returns whether only one alternative has certain JSON types and values, so that it needs no condition. */
function needsNoCondition(
  only: SchemaFragment,
  branches: readonly SchemaFragment[],
  from: ConvertedFrom,
  defs: Definitions,
): boolean {
  const converted = only.conversion && SCALAR_TYPES[only.conversion.kind];
  if (!converted || from === "value") return converted !== undefined;
  return branches.every((branch) => branch === only || !hasAny(getTypes(branch.schema, defs), converted));
}

function joinWithConditions(
  branches: readonly SchemaFragment[],
  from: ConvertedFrom,
  defs: Definitions,
): Conversion | undefined {
  const conditions = branches.map((branch) => ({
    when: createCondition(
      branch,
      branches.filter((each) => each !== branch),
      from,
      defs,
    ),
    convert: branch.conversion ?? null,
  }));
  // Literals first: `"now" | Date` must not try to read `now` as a date.
  const ordered = [...conditions].sort(
    (a, b) => Number(b.when.enum !== undefined) - Number(a.when.enum !== undefined),
  );
  while (ordered.at(-1)?.convert === null) ordered.pop();
  return { kind: "union", branches: ordered };
}

/** The JSON types that a conversion replaces. Undefined if it converts nested values. */
const SCALAR_TYPES: Record<Conversion["kind"], readonly JsonTypeName[] | undefined> = {
  date: ["string"],
  day: ["string"],
  url: ["string"],
  bigint: ["string", "number"],
  bytes: ["string"],
  file: ["string"],
  regexp: ["string"],
  array: undefined,
  tuple: undefined,
  set: undefined,
  map: undefined,
  object: undefined,
  union: undefined,
  ref: undefined,
};

function hasAny(types: ReadonlySet<JsonTypeName>, wanted: readonly JsonTypeName[]): boolean {
  return wanted.some((type) => types.has(type));
}

/**
 * Returns the JSON types that a schema allows.
 *
 * @param open the enclosing definitions, which have already been examined
 */
function getTypes(
  schema: JsonSchema,
  defs: Definitions,
  open: readonly JsonSchema[] = [],
): Set<JsonTypeName> {
  const target = resolveTarget(schema, defs);
  if (open.includes(target)) return new Set();
  if (target.anyOf)
    return new Set(target.anyOf.flatMap((each) => [...getTypes(each, defs, [...open, target])]));
  if (target.type === undefined) return new Set(ALL);
  return new Set([target.type].flat().map((name) => (name === "integer" ? "number" : name)));
}

function createCondition(
  { schema, conversion }: SchemaFragment,
  others: readonly SchemaFragment[],
  from: ConvertedFrom,
  defs: Definitions,
): JsonSchema {
  const types = getTypes(schema, defs);
  // A `Map` is an object or an array, depending on its keys. A handler's return value must be examined closely.
  const isMap = ({ kind }: Conversion): boolean => kind === "map";
  const rivals = others
    .filter((other) => {
      const areMaps = conversion && other.conversion && [conversion, other.conversion].every(isMap);
      return areMaps === true || hasAny(types, [...getTypes(other.schema, defs)]);
    })
    .map((other) => other.schema);
  if (rivals.length === 0) return { type: types.size === 1 ? ([...types][0] as JsonTypeName) : [...types] };
  if (schema.enum) return { enum: schema.enum };
  const own = listObjects(schema, defs);
  const theirs = rivals.map((rival) => listObjects(rival, defs));
  if (own && theirs.every((each) => each !== undefined)) {
    const condition = findDiscriminator(own, theirs.flat(), from) ?? findUniqueMember(own, theirs.flat());
    if (condition) return condition;
  }
  return withoutAnnotations(withDefs(schema, defs));
}

/** Returns the alternatives of a union that are objects, at any depth. Returns undefined if others are possible. */
function listObjects(
  schema: JsonSchema,
  defs: Definitions,
  open: readonly JsonSchema[] = [],
): JsonSchema[] | undefined {
  const target = resolveTarget(schema, defs);
  if (open.includes(target)) return [];
  if (!target.anyOf) return target.type === "object" ? [target] : undefined;
  const found = target.anyOf.map((each) => listObjects(each, defs, [...open, target]));
  return found.every((each) => each !== undefined) ? found.flat() : undefined;
}

/** Finds a required member whose literal values differ from those in each of the others. */
function findDiscriminator(
  own: readonly JsonSchema[],
  rivals: readonly JsonSchema[],
  from: ConvertedFrom,
): JsonSchema | undefined {
  for (const name of own[0]?.required ?? []) {
    const values = own.map((each) => listLiterals(each, name));
    const all = [...new Set(values.flatMap((each) => each ?? []))];
    const isDistinct =
      !values.includes(undefined) &&
      rivals.every((rival) => listLiterals(rival, name)?.every((value) => !all.includes(value)));
    if (!isDistinct) continue;
    const properties = { [name]: { enum: all } };
    // Among the alternatives that a returned value fits, the runtime prefers the one that declares most of its members.
    // No other fits this one's constant, so it need not compare.
    const isCertain = from === "value" && { additionalProperties: true };
    return { type: "object", properties, required: [name], ...isCertain };
  }
  return undefined;
}

/** Returns the literal values of a required member. */
function listLiterals({ properties, required }: JsonSchema, name: string): JsonSchema["enum"] {
  return required?.includes(name) ? properties?.[name]?.enum : undefined;
}

/** Finds a required member of all alternatives that none of the others has. */
function findUniqueMember(
  [first, ...others]: readonly JsonSchema[],
  rivals: readonly JsonSchema[],
): JsonSchema | undefined {
  const name = first?.required?.find(
    (each) =>
      others.every(({ required }) => required?.includes(each)) &&
      rivals.every(
        (rival) => !Object.hasOwn(rival.properties ?? {}, each) && rival.additionalProperties === false,
      ),
  );
  return name === undefined ? undefined : { type: "object", required: [name] };
}

import type { Conversion, JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { refers, resolved, withDefs, type Definitions } from "../json-schema/definitions.js";
import type { SchemaFragment } from "../json-schema/fragment.js";
import { withoutAnnotations } from "../json-schema/annotations.js";

const ALL: readonly JsonTypeName[] = ["null", "boolean", "number", "string", "array", "object"];

/** What tells the alternatives of a union apart: JSON that was sent, or the value that a handler returns. */
export type ConvertedFrom = "json" | "value";

/**
 * How the values of a union are converted. Each branch with a conversion gets the smallest condition that sets
 * it apart from the others. Where JSON can do so for none (`Date | string`), it stays as it is, which its type allows;
 * of what a handler returns, the value itself tells.
 *
 * @param defs what branches refer to; without it, conditions of branches with references are left open: their
 *   schemas stand for it until `settleConversions`
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
  if (!defs && branches.some(({ schema }) => refers(schema))) {
    const open = branches.map(({ schema, conversion }) => ({ when: schema, convert: conversion ?? null }));
    return { kind: "union", branches: open };
  }
  if (converting.length === 1 && isSettledAlone(only, branches, from, defs ?? {})) return only.conversion;
  return settled(branches, defs ?? {});
}

/** What is converted of these types alone needs no condition, nor does what is converted of these values alone. */
function isSettledAlone(
  only: SchemaFragment,
  branches: readonly SchemaFragment[],
  from: ConvertedFrom,
  defs: Definitions,
): boolean {
  const converted = only.conversion && SCALAR_TYPES[only.conversion.kind];
  if (!converted || from === "value") return converted !== undefined;
  return branches.every((branch) => branch === only || !hasAny(typesOf(branch.schema, defs), converted));
}

function settled(branches: readonly SchemaFragment[], defs: Definitions): Conversion | undefined {
  const conditions = branches.map((branch) => ({
    when: conditionFor(
      branch,
      branches.filter((each) => each !== branch),
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

/** The JSON types of which a conversion makes something else; undefined where it looks inside of values. */
const SCALAR_TYPES: Record<Conversion["kind"], readonly JsonTypeName[] | undefined> = {
  date: ["string"],
  day: ["string"],
  url: ["string"],
  bigint: ["string", "number"],
  bytes: ["string"],
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

/** @param open the definitions around this one, which have been looked at */
function typesOf(schema: JsonSchema, defs: Definitions, open: readonly JsonSchema[] = []): Set<JsonTypeName> {
  const target = resolved(schema, defs);
  if (open.includes(target)) return new Set();
  if (target.anyOf)
    return new Set(target.anyOf.flatMap((each) => [...typesOf(each, defs, [...open, target])]));
  if (target.type === undefined) return new Set(ALL);
  return new Set([target.type].flat().map((name) => (name === "integer" ? "number" : name)));
}

function conditionFor(
  { schema, conversion }: SchemaFragment,
  others: readonly SchemaFragment[],
  defs: Definitions,
): JsonSchema {
  const types = typesOf(schema, defs);
  // A `Map` is an object or an array, by its keys: what a handler returns has to be looked at closely.
  const isMap = ({ kind }: Conversion): boolean => kind === "map";
  const rivals = others
    .filter((other) => {
      const areMaps = conversion && other.conversion && [conversion, other.conversion].every(isMap);
      return areMaps === true || hasAny(types, [...typesOf(other.schema, defs)]);
    })
    .map((other) => other.schema);
  if (rivals.length === 0) return { type: types.size === 1 ? ([...types][0] as JsonTypeName) : [...types] };
  if (schema.enum) return { enum: schema.enum };
  const own = resolved(schema, defs);
  const theirs = rivals.map((rival) => resolved(rival, defs));
  if (own.type === "object" && theirs.every((rival) => rival.type === "object")) {
    const sign = discriminator(own, theirs) ?? required(own, theirs);
    if (sign) return sign;
  }
  return withoutAnnotations(withDefs(schema, defs));
}

/** A member that has other values in each of the others. */
function discriminator(schema: JsonSchema, rivals: readonly JsonSchema[]): JsonSchema | undefined {
  for (const name of schema.required ?? []) {
    const values = schema.properties?.[name]?.enum;
    const tells =
      values &&
      rivals.every((rival) => {
        const theirs = rival.properties?.[name]?.enum;
        return theirs && rival.required?.includes(name) && !theirs.some((value) => values.includes(value));
      });
    if (tells) return { type: "object", properties: { [name]: { enum: values } }, required: [name] };
  }
  return undefined;
}

/** A member that must be here and that none of the others has. */
function required(schema: JsonSchema, rivals: readonly JsonSchema[]): JsonSchema | undefined {
  const name = schema.required?.find((each) =>
    rivals.every(
      (rival) => !Object.hasOwn(rival.properties ?? {}, each) && rival.additionalProperties === false,
    ),
  );
  return name === undefined ? undefined : { type: "object", required: [name] };
}

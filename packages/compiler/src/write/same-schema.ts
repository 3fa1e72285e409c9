/**
 * Compares schemas that may be written differently.
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { withCurrentTuple } from "../json-schema/earlier-tuples.js";
import { listChoices } from "../json-schema/enumeration.js";
import { findKeyword, isAnnotation } from "../json-schema/keywords.js";
import { findReferenced } from "../json-schema/definitions.js";
import { isSchema, toObjectSchema } from "../json-schema/walk.js";

/** A part of a schema, and the root that its references refer to. */
interface Part {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** Keywords that hold definitions or identify the schema. */
const IGNORED_KEYWORDS: ReadonlySet<string> = new Set(["$schema", "$id", "$defs", "definitions", "$comment"]);

/**
 * Returns whether two schemas are equivalent. These differences do not matter: the order of members, `const` or an
 * `enum` of one value, a reference or its target, objects joined by `allOf` or one object, and several types or `null`
 * as alternatives or as a list. Neither does whether additional properties of any type are allowed, or whether a property
 * with a default is required. Recursive schemas are compared until a difference is found.
 *
 * @example
 * isSameSchema({ const: 1 }, { enum: [1] }) // true
 */
export function isSameSchema(a: JsonSchema, b: JsonSchema): boolean {
  const normalForms = new Map<JsonSchema, JsonSchema>();
  /** The pairs that are being compared, or were equal, which end recursion. */
  const compared = new Map<JsonSchema, Set<JsonSchema>>();

  /** Returns the normal form of a schema. The schemas inside are unchanged. */
  const normalize = ({ schema, root }: Part): JsonSchema => {
    const known = normalForms.get(schema);
    if (known !== undefined) return known;
    const normal = toNormalForm(resolveJoins(schema, root, []), root);
    normalForms.set(schema, normal);
    return normal;
  };

  const isSame = (first: Part, second: Part): boolean => {
    const others = compared.get(first.schema) ?? new Set();
    if (others.has(second.schema)) return true;
    compared.set(first.schema, others.add(second.schema));
    const [x, y] = [normalize(first), normalize(second)];
    const keys = new Set([...Object.keys(x), ...Object.keys(y)]);
    const same = [...keys].every((key) => isSameValue(key, x[key], y[key], first.root, second.root));
    if (!same) others.delete(second.schema);
    return same;
  };

  const isSameValue = (
    key: string,
    x: unknown,
    y: unknown,
    rootOfX: JsonSchema,
    rootOfY: JsonSchema,
  ): boolean => {
    const holds = findKeyword(key)?.holds;
    if (holds === undefined || typeof x !== "object" || typeof y !== "object" || x === null || y === null)
      return isDeepStrictEqual(x, y);
    const isSamePart = (each: unknown, other: unknown): boolean => {
      const [schema, otherSchema] = [toObjectSchema(each), toObjectSchema(other)];
      return isSchema(schema) && isSchema(otherSchema)
        ? isSame({ schema, root: rootOfX }, { schema: otherSchema, root: rootOfY })
        : each === other;
    };
    if (Array.isArray(x) && Array.isArray(y)) {
      if (x.length !== y.length) return false;
      if (key !== "anyOf" && key !== "oneOf") return x.every((each, index) => isSamePart(each, y[index]));
      const unmatched = [...(y as unknown[])];
      return x.every((each) => {
        const found = unmatched.findIndex((other) => isSamePart(each, other));
        if (found >= 0) unmatched.splice(found, 1);
        return found >= 0;
      });
    }
    if (holds !== "map") return isSamePart(x, y);
    const names = Object.keys(x);
    if (names.length !== Object.keys(y).length) return false;
    const [given, others] = [x as Record<string, unknown>, y as Record<string, unknown>];
    return names.every((name) => Object.hasOwn(others, name) && isSamePart(given[name], others[name]));
  };

  return isSame({ schema: a, root: a }, { schema: b, root: b });
}

/** Merges a schema with the schemas it references or joins with `allOf`. A recursive reference remains. */
function resolveJoins(schema: JsonSchema, root: JsonSchema, path: readonly string[]): JsonSchema {
  const { $ref, ...siblings } = schema;
  if ($ref !== undefined) {
    const target = path.includes($ref) ? undefined : findReferenced(root, $ref);
    if (target === undefined) return schema;
    const referenced = resolveJoins(target, root, [...path, $ref]);
    const joined: JsonSchema = { ...referenced, ...siblings };
    return keepsLimits(joined, referenced) ? joined : schema;
  }
  const { allOf, ...others } = schema;
  if (allOf === undefined) return schema;
  const own: JsonSchema = Object.fromEntries(
    Object.entries(others).filter(([key]) => !IGNORED_KEYWORDS.has(key)),
  );
  const parts = allOf.map((part) => resolveJoins(part, root, path));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    if (Object.keys(own).every((key) => key === "description" || only[key] === undefined))
      return { ...only, ...own };
  }
  const all = Object.keys(own).some((key) => key !== "description") ? [...parts, own] : parts;
  if (!all.every(isPlainObject)) return schema;
  const named = all.map((part) => part.properties ?? {});
  const properties = Object.assign({}, ...named) as Record<string, JsonSchema>;
  // A closed part rejects the properties of the others, and a property with two schemas must fit both.
  const names = Object.keys(properties);
  const isMergeable = all.every(({ additionalProperties: others = true }, index) =>
    names.every((name) => {
      const own = named[index]?.[name];
      return own === undefined ? isAnything(others) : keepsLimits(properties[name] ?? {}, own);
    }),
  );
  if (!isMergeable) return schema;
  const required = [...new Set(all.flatMap((part) => part.required ?? []))];
  const open = all.find((part) => part.additionalProperties !== undefined)?.additionalProperties;
  return {
    type: "object",
    properties,
    required,
    ...(open !== undefined && { additionalProperties: open }),
    ...(own.description !== undefined && { description: own.description }),
  };
}

/** Returns whether a schema has all limits of another. Values that are listed may be of its type instead. */
function keepsLimits(schema: JsonSchema, other: JsonSchema): boolean {
  const choices = listChoices(schema);
  return Object.entries(other).every(
    ([key, value]) =>
      isAnnotation(key) ||
      IGNORED_KEYWORDS.has(key) ||
      isDeepStrictEqual(schema[key], value) ||
      (key === "type" &&
        choices !== undefined &&
        isDeepStrictEqual(listChoices({ ...schema, type: value as never }), choices)),
  );
}

function isAnything(schema: JsonSchema | boolean): boolean {
  return schema === true || (isSchema(schema) && Object.keys(schema).length === 0);
}

const OBJECT_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "description",
  "additionalProperties",
]);

function isPlainObject(schema: JsonSchema): boolean {
  return (
    Object.keys(schema).every((key) => OBJECT_KEYWORDS.has(key)) && (schema.type ?? "object") === "object"
  );
}

function toNormalForm(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { const: _, additionalProperties, ...rest } = withCurrentTuple(schema);
  const changed = Object.fromEntries(
    Object.entries(rest).filter(([key]) => !IGNORED_KEYWORDS.has(key)),
  ) as JsonSchema;
  const values = listChoices(schema);
  if (values !== undefined) {
    delete changed.type;
    changed.enum = sortValues(values);
  }
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0) {
    changed.additionalProperties = additionalProperties;
  }
  // Property names are always strings.
  if (isDeepStrictEqual(changed.propertyNames, { type: "string" })) delete changed.propertyNames;
  // Callers may omit a property with a default.
  const { properties = {}, required = [] } = changed;
  const needed = required.filter((name) => properties[name]?.default === undefined);
  if (needed.length === 0) delete changed.required;
  else changed.required = needed.toSorted();
  if (Object.keys(changed.properties ?? {}).length === 0) delete changed.properties;
  // A tuple with a fixed length has no further items.
  if (changed.prefixItems !== undefined && changed.maxItems === changed.prefixItems.length)
    delete changed.items;
  if (typeof changed.items === "object" && Object.keys(changed.items).length === 0) delete changed.items;
  const { anyOf, ...others } = changed;
  if (anyOf === undefined) return withSortedTypes(changed);
  const choices = flattenChoices(anyOf, root, []);
  const together = joinEnums(choices) ?? joinTypes(choices);
  return withSortedTypes({ ...others, ...(together ?? { anyOf: choices }) });
}

/** Replaces nested choices with their members, and removes duplicates. */
function flattenChoices(
  choices: readonly JsonSchema[],
  root: JsonSchema,
  path: readonly string[],
): JsonSchema[] {
  const flat = choices.flatMap((choice): JsonSchema[] => {
    const { $ref } = choice;
    const own = resolveJoins(choice, root, []);
    if (own.anyOf === undefined) return splitTypes(toNormalForm(own, root));
    if (Object.keys(own).some((key) => key !== "anyOf" && key !== "description")) return [choice];
    if ($ref !== undefined && path.includes($ref)) return [];
    return flattenChoices(own.anyOf, root, $ref === undefined ? path : [...path, $ref]);
  });
  return flat.filter((each, index) => flat.findIndex((other) => isDeepStrictEqual(other, each)) === index);
}

/** Returns a schema for each type, if the schema limits none of them. */
function splitTypes(schema: JsonSchema): JsonSchema[] {
  const { type } = schema;
  return Array.isArray(type) && Object.keys(schema).length === 1
    ? type.map((each) => ({ type: each }))
    : [schema];
}

/** Combines choices between values, and possibly `null`, into one list of values. */
function joinEnums(choices: readonly JsonSchema[]): JsonSchema | undefined {
  const lists = choices.map((each) => {
    if (Object.keys(each).some((key) => key !== "enum" && key !== "type")) return undefined;
    return each.type === "null" ? [null] : each.enum;
  });
  return lists.every((list) => list !== undefined) ? { enum: sortValues(lists.flat()) } : undefined;
}

/** Combines one type with limits and other types without limits into one schema. */
function joinTypes(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  if (schemas.some(({ $ref, type, enum: values }) => $ref !== undefined || type === undefined || values))
    return undefined;
  const limited = schemas.filter((each) => Object.keys(each).join() !== "type");
  if (limited.length > 1) return undefined;
  return { ...limited[0], type: [...new Set(schemas.flatMap(({ type }) => type ?? []))] };
}

function withSortedTypes(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  // `number` includes `integer`.
  const given = schema.type;
  const types = given.filter((type) => type !== "integer" || !given.includes("number")).toSorted();
  const [only] = types;
  return { ...schema, type: types.length === 1 && only !== undefined ? only : types };
}

function sortValues<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}

/**
 * Whether two schemas say the same in different words.
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { keyword } from "../json-schema/keywords.js";
import { isSchemaObject } from "./schema-object.js";

/** A part of a schema, and the whole in which its references lead somewhere. */
interface Part {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** Keywords that hold definitions or say which dialect it is. */
const APART: ReadonlySet<string> = new Set(["$schema", "$id", "$defs", "definitions", "$comment"]);

/**
 * True for schemas that are the same but for how they are written: the order of members, `const` and an `enum` of one, a
 * reference and what it refers to, objects joined by `allOf` and one object, one type or `null` as a choice or as a list.
 * Nor is it a difference that an object is closed which nobody said to be open. Schemas that refer to themselves are
 * compared as far as they differ.
 *
 * @example
 * isSameSchema({ const: 1 }, { enum: [1] }) // true
 */
export function isSameSchema(a: JsonSchema, b: JsonSchema): boolean {
  const plain = new Map<JsonSchema, JsonSchema>();
  /** Pairs that are being compared, or have been: what differs ends the comparison. */
  const compared = new Map<JsonSchema, Set<JsonSchema>>();

  /** In the one way of several to write it; the schemas inside are as they were. */
  const plainOf = ({ schema, root }: Part): JsonSchema => {
    const known = plain.get(schema);
    if (known !== undefined) return known;
    const made = inOneWay(joined(schema, root, []), root);
    plain.set(schema, made);
    return made;
  };

  const isSame = (first: Part, second: Part): boolean => {
    const others = compared.get(first.schema) ?? new Set();
    if (others.has(second.schema)) return true;
    compared.set(first.schema, others.add(second.schema));
    const [x, y] = [plainOf(first), plainOf(second)];
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
    const holds = keyword(key)?.holds;
    if (holds === undefined || typeof x !== "object" || typeof y !== "object" || x === null || y === null)
      return isDeepStrictEqual(x, y);
    const same = (each: unknown, other: unknown): boolean =>
      isSchemaObject(each as JsonSchema) && isSchemaObject(other as JsonSchema)
        ? isSame(
            { schema: each as JsonSchema, root: rootOfX },
            { schema: other as JsonSchema, root: rootOfY },
          )
        : each === other;
    if (Array.isArray(x) && Array.isArray(y)) {
      if (x.length !== y.length) return false;
      if (key !== "anyOf" && key !== "oneOf") return x.every((each, index) => same(each, y[index]));
      const left = [...(y as unknown[])];
      return x.every((each) => {
        const found = left.findIndex((other) => same(each, other));
        if (found >= 0) left.splice(found, 1);
        return found >= 0;
      });
    }
    if (holds !== "map") return same(x, y);
    const names = Object.keys(x);
    if (names.length !== Object.keys(y).length) return false;
    const [given, others] = [x as Record<string, unknown>, y as Record<string, unknown>];
    return names.every((name) => Object.hasOwn(others, name) && same(given[name], others[name]));
  };

  return isSame({ schema: a, root: a }, { schema: b, root: b });
}

/** What a schema, what it refers to and what it joins by `allOf` say together. What refers to itself stays a reference. */
function joined(schema: JsonSchema, root: JsonSchema, way: readonly string[]): JsonSchema {
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) {
    const target = way.includes($ref) ? undefined : targetOf(root, $ref);
    return target === undefined ? schema : { ...joined(target, root, [...way, $ref]), ...beside };
  }
  const { allOf, ...others } = schema;
  if (allOf === undefined) return schema;
  const own: JsonSchema = Object.fromEntries(Object.entries(others).filter(([key]) => !APART.has(key)));
  const parts = allOf.map((part) => joined(part, root, way));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    if (Object.keys(own).every((key) => key === "description" || only[key] === undefined))
      return { ...only, ...own };
  }
  const all = Object.keys(own).some((key) => key !== "description") ? [...parts, own] : parts;
  if (!all.every(isPlainObject)) return schema;
  const properties = Object.assign({}, ...all.map((part) => part.properties ?? {})) as Record<
    string,
    JsonSchema
  >;
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

const OF_OBJECTS: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "description",
  "additionalProperties",
]);

function isPlainObject(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => OF_OBJECTS.has(key)) && (schema.type ?? "object") === "object";
}

function targetOf(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  const names = reference.slice(1).split("/").slice(1);
  const target = names.reduce<unknown>((part, name) => {
    return (Object(part) as Record<string, unknown>)[unescaped(name)];
  }, root);
  return isSchemaObject(target as JsonSchema) && target !== null ? (target as JsonSchema) : undefined;
}

function unescaped(name: string): string {
  return decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
}

function inOneWay(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { const: constant, additionalProperties, ...rest } = schema;
  const changed = Object.fromEntries(Object.entries(rest).filter(([key]) => !APART.has(key))) as JsonSchema;
  if (constant !== undefined) changed.enum = [constant];
  if (changed.enum !== undefined) {
    delete changed.type;
    changed.enum = inOrder(changed.enum);
  }
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0) {
    changed.additionalProperties = additionalProperties;
  }
  // Every name is a string.
  if (isDeepStrictEqual(changed.propertyNames, { type: "string" })) delete changed.propertyNames;
  if (changed.required !== undefined) changed.required = changed.required.toSorted();
  if (changed.required?.length === 0) delete changed.required;
  if (Object.keys(changed.properties ?? {}).length === 0) delete changed.properties;
  // Of a tuple that is as long as its places, nothing follows them.
  if (changed.prefixItems !== undefined && changed.maxItems === changed.prefixItems.length)
    delete changed.items;
  if (typeof changed.items === "object" && Object.keys(changed.items).length === 0) delete changed.items;
  const { anyOf, ...others } = changed;
  if (anyOf === undefined) return withSortedTypes(changed);
  const choices = flatChoices(anyOf, root, []);
  const together = joinedValues(choices) ?? joinedTypes(choices);
  return withSortedTypes({ ...others, ...(together ?? { anyOf: choices }) });
}

/** Choices, and in place of those that are choices themselves, theirs; one that stands there twice, once. */
function flatChoices(choices: readonly JsonSchema[], root: JsonSchema, way: readonly string[]): JsonSchema[] {
  const flat = choices.flatMap((choice): JsonSchema[] => {
    const { $ref } = choice;
    const own = joined(choice, root, []);
    if (own.anyOf === undefined) return [inOneWay(own, root)];
    if (Object.keys(own).some((key) => key !== "anyOf" && key !== "description")) return [choice];
    if ($ref !== undefined && way.includes($ref)) return [];
    return flatChoices(own.anyOf, root, $ref === undefined ? way : [...way, $ref]);
  });
  return flat.filter((each, index) => flat.findIndex((other) => isDeepStrictEqual(other, each)) === index);
}

/** Choices between values, and perhaps `null`, as one list of values. */
function joinedValues(choices: readonly JsonSchema[]): JsonSchema | undefined {
  const lists = choices.map((each) => {
    if (Object.keys(each).some((key) => key !== "enum" && key !== "type")) return undefined;
    return each.type === "null" ? [null] : each.enum;
  });
  return lists.every((list) => list !== undefined) ? { enum: inOrder(lists.flat()) } : undefined;
}

/** Choices between one type with limits of its own and others without any, as one schema. */
function joinedTypes(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  if (schemas.some(({ $ref, type, enum: values }) => $ref !== undefined || type === undefined || values))
    return undefined;
  const limited = schemas.filter((each) => Object.keys(each).join() !== "type");
  if (limited.length > 1) return undefined;
  return { ...limited[0], type: [...new Set(schemas.flatMap(({ type }) => type ?? []))] };
}

function withSortedTypes(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  // An integer is a number already.
  const given = schema.type;
  const types = given.filter((type) => type !== "integer" || !given.includes("number")).toSorted();
  const [only] = types;
  return { ...schema, type: types.length === 1 && only !== undefined ? only : types };
}

function inOrder<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}

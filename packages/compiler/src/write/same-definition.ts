import { isDeepStrictEqual } from "node:util";
import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import { mapSchema } from "../json-schema/walk.js";

type Definition = Tool | Prompt | Resource | ResourceTemplate;

/** In what two definitions differ. */
export type Difference = "schemas" | "description" | "else";

/**
 * In what a derived definition differs from the one it was written for. Different ways to write the same schema are no
 * difference: the order of members, `const` and an `enum` of one, a reference and what it refers to, one type or `null`
 * as a choice or as a list. Nor is that an object is closed which nobody said to be open.
 */
export function differences(original: Definition, derived: Definition): Difference[] {
  const [a, b] = [comparable(original), comparable(derived)];
  const found: Difference[] = [];
  if (!isDeepStrictEqual(a.schemas, b.schemas)) found.push("schemas");
  if (a.description !== b.description) found.push("description");
  if (!isDeepStrictEqual(a.others, b.others)) found.push("else");
  return found;
}

function comparable(definition: Definition): { schemas: unknown; description: string; others: unknown } {
  const { description = "", ...others } = structuredClone(definition);
  // How tools said in 2025-11-25 that they may run as tasks; it is told otherwise since.
  const {
    inputSchema,
    outputSchema,
    annotations,
    execution: _,
    ...rest
  } = others as Partial<Tool> & {
    execution?: unknown;
  };
  const { title, ...hints } = annotations ?? {};
  const given = "arguments" in rest ? (rest as Prompt).arguments : undefined;
  return {
    schemas: [inputSchema && comparableSchema(inputSchema), outputSchema && comparableSchema(outputSchema)],
    description: description.trim(),
    others: sorted({
      ...rest,
      ...(rest.title === undefined && title !== undefined && { title }),
      ...(Object.keys(hints).length > 0 && { annotations: hints }),
      ...(given && {
        arguments: given.map((each) => ({ ...each, required: each.required ?? false })).toSorted(byName),
      }),
    }),
  };
}

/** A schema in the one way of several to write it. */
export function comparableSchema(root: JsonSchema): unknown {
  const inlined = withoutReferences(root, root, []);
  return sorted(mapSchema(inlined, inOneWay));
}

function inOneWay(schema: JsonSchema): JsonSchema {
  const {
    $schema: _s,
    $id: _i,
    $defs: _d,
    const: constant,
    additionalProperties,
    ...rest
  } = schema as JsonSchema & {
    definitions?: unknown;
  };
  delete rest.definitions;
  const changed: JsonSchema = { ...rest };
  if (constant !== undefined) changed.enum = [constant];
  if (changed.enum !== undefined) delete changed.type;
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
  const choices = anyOf.flatMap((each): JsonSchema[] => (isOnlyChoices(each) ? each.anyOf : [each]));
  const joined = joinedValues(choices) ?? joinedTypes(choices);
  return withSortedTypes({ ...others, ...(joined ?? { anyOf: choices.toSorted(byText) }) });
}

function isOnlyChoices(schema: JsonSchema): schema is JsonSchema & { anyOf: JsonSchema[] } {
  return Object.keys(schema).join() === "anyOf";
}

/** Choices between values, and perhaps `null`, as one list of values. */
function joinedValues(choices: readonly JsonSchema[]): JsonSchema | undefined {
  const lists = choices.map((each) => {
    if (Object.keys(each).length > 1) return undefined;
    return each.type === "null" ? [null] : each.enum;
  });
  return lists.every((list) => list !== undefined) ? { enum: lists.flat() } : undefined;
}

/** Choices between one type with limits of its own and others without any, as one schema. */
function joinedTypes(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  const limited = schemas.filter((each) => Object.keys(each).join() !== "type");
  if (limited.length > 1 || schemas.some(({ type, enum: values }) => type === undefined || values))
    return undefined;
  return { ...limited[0], type: [...new Set(schemas.flatMap(({ type }) => type ?? []))] };
}

function withSortedTypes(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.toSorted();
  const [only] = types;
  return { ...schema, type: types.length === 1 && only !== undefined ? only : types };
}

/** What refers to itself stays a reference. */
function withoutReferences(schema: JsonSchema, root: JsonSchema, way: readonly string[]): JsonSchema {
  const { $ref, ...beside } = schema;
  if ($ref !== undefined && $ref.startsWith("#/") && !way.includes($ref)) {
    const target = $ref
      .slice(2)
      .split("/")
      .reduce<unknown>((part, name) => (Object(part) as Record<string, unknown>)[name], root);
    if (typeof target === "object" && target !== null) {
      return { ...withoutReferences(target as JsonSchema, root, [...way, $ref]), ...beside };
    }
  }
  const entries = Object.entries(schema).map(([name, value]) => {
    if (
      name === "$defs" ||
      name === "definitions" ||
      name === "default" ||
      name === "enum" ||
      name === "const"
    )
      return [name, value];
    return [name, eachWithoutReferences(value, root, way)];
  });
  return Object.fromEntries(entries) as JsonSchema;
}

function eachWithoutReferences(value: unknown, root: JsonSchema, way: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => eachWithoutReferences(each, root, way));
  if (typeof value !== "object" || value === null) return value;
  return withoutReferences(value as JsonSchema, root, way);
}

/** Members in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  );
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(sorted(a)) < JSON.stringify(sorted(b)) ? -1 : 1;
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { followReferences } from "../compare/schema/references.js";

/** Maximum depth of nested unions. A schema of another server may contain itself. */
const MAX_DEPTH = 20;

/** The schema of all arguments, to which references such as `#/$defs/Place` refer. */
type Root = JsonSchema;

/** Returns the schema of a member, or undefined if the schema does not describe it. */
export function findMemberSchema(root: Root, path: readonly string[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>(
    (schema, name) =>
      schema &&
      combine(
        getAlternatives(schema, root)
          .map((each) => getMemberSchema(each, name))
          .filter((each) => each !== undefined),
      ),
    root,
  );
}

/** Returns the schema of an item of a list by its index, or undefined if only other values are accepted. */
export function findItemSchema(schema: JsonSchema, index: number, root: Root): JsonSchema | undefined {
  return combine(
    getAlternatives(schema, root).flatMap(({ type, items, prefixItems }) => {
      if (type === undefined || ![type].flat().includes("array")) return [];
      const item = prefixItems?.[index] ?? items;
      return [(typeof item === "object" ? item : {}) as JsonSchema];
    }),
  );
}

/** Returns whether a schema may accept a value of this type. */
export function acceptsType(type: string, schema: JsonSchema | undefined, root: Root): boolean {
  if (schema === undefined) return true;
  return getAlternatives(schema, root).some((each) => {
    const types = getTypes(each);
    return types === undefined || types.includes(type) || (type === "number" && types.includes("integer"));
  });
}

/** Returns whether a schema may accept a value, by its type and by the values that it lists. */
export function acceptsValue(value: unknown, schema: JsonSchema | undefined, root: Root): boolean {
  if (schema === undefined) return true;
  return getAlternatives(schema, root).some(
    (each) =>
      acceptsType(getType(value), each, root) &&
      (each.enum?.some((listed) => isDeepStrictEqual(listed, value)) ?? true),
  );
}

/** Returns the type of a JSON value. */
export function getType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns the types that a schema without unions accepts, or undefined for all types. */
function getTypes(schema: JsonSchema): readonly string[] | undefined {
  if (schema.enum) return schema.enum.map(getType);
  if ("const" in schema) return [getType(schema["const"])];
  return schema.type === undefined ? undefined : [schema.type].flat();
}

/** Returns the alternatives of a schema, of which a value must match at least one. References and intersections are resolved. */
function getAlternatives(schema: JsonSchema, root: Root, depth = 0): readonly JsonSchema[] {
  const { schema: resolved } = followReferences(schema, root);
  if (typeof resolved !== "object") return [{}];
  const { anyOf, oneOf, allOf, ...others } = resolved;
  if (depth > MAX_DEPTH) return [others];
  const choices = anyOf ?? oneOf;
  if (choices) return choices.flatMap((each) => getAlternatives(each, root, depth + 1));
  if (!allOf) return [resolved];
  const parts = allOf.flatMap((each) => getAlternatives(each, root, depth + 1));
  const properties = Object.assign(
    {},
    ...[...parts, others].map((part) => part.properties),
  ) as JsonSchema["properties"];
  return [{ ...(Object.assign({}, ...parts, others) as JsonSchema), ...(properties && { properties }) }];
}

function getMemberSchema(
  { properties, additionalProperties }: JsonSchema,
  name: string,
): JsonSchema | undefined {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function combine(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  return schemas.length > 1 ? { anyOf: [...schemas] } : schemas[0];
}

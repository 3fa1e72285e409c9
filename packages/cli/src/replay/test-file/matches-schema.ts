import type { JsonSchema } from "@tenon/runtime/manifest";

/**
 * Returns whether a value has the types of its schema, so that TypeScript accepts it as an argument of the method. A server is
 * more lenient: it accepts `"5"` as a number.
 */
export function matchesSchema(schema: JsonSchema | boolean | undefined, value: unknown): boolean {
  if (typeof schema !== "object") return schema !== false;
  if (schema.type !== undefined && ![schema.type].flat().some((type) => hasType(type, value))) return false;
  if (schema.enum !== undefined && !schema.enum.some((each) => each === value)) return false;
  if (Array.isArray(value)) return value.every((each) => matchesSchema(schema.items, each));
  if (typeof value !== "object" || value === null) return true;
  const { properties = {}, required = [] } = schema;
  const isKnown = (name: string): boolean =>
    schema.properties === undefined || Object.hasOwn(properties, name);
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, each]) => isKnown(name) && matchesSchema(properties[name], each))
  );
}

function hasType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

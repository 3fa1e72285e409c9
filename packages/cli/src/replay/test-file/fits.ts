import type { JsonSchema } from "@tenon/runtime/manifest";

/**
 * True where a value is of the types that its schema names, so that TypeScript takes it where the method is called. A server is
 * more lenient: `"5"` is a number to it.
 */
export function fits(schema: JsonSchema | boolean | undefined, value: unknown): boolean {
  if (typeof schema !== "object") return schema !== false;
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOf(type, value))) return false;
  if (schema.enum !== undefined && !schema.enum.some((each) => each === value)) return false;
  if (Array.isArray(value)) return value.every((each) => fits(schema.items, each));
  if (typeof value !== "object" || value === null) return true;
  const { properties = {}, required = [] } = schema;
  const isKnown = (name: string): boolean =>
    schema.properties === undefined || Object.hasOwn(properties, name);
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, each]) => isKnown(name) && fits(properties[name], each))
  );
}

function isOf(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

import type { JsonSchema } from "@tenon/runtime/manifest";

const SCALAR = new Set(["string", "number", "integer", "boolean", "null"]);

/**
 * Prompt arguments and URI variables are text on the wire, so only what one string can stand for will do.
 *
 * @returns the names of the properties that one string cannot stand for
 */
export function propertiesBeyondText(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    isScalar(property) ? [] : [name],
  );
}

function isScalar(schema: JsonSchema): boolean {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.every((branch) => isScalar(branch));
  if (schema.type !== undefined) return [schema.type].flat().every((name) => SCALAR.has(name));
  return schema.enum?.every((value) => typeof value !== "object" || value === null) ?? !schema.$ref;
}

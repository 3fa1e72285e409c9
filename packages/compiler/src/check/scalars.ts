import type { JsonSchema } from "@tenon/runtime/manifest";
import { isScalarSchema } from "../json-schema/scalar-schema.js";

/**
 * Prompt arguments and URI variables are text on the wire, so only what one string can stand for will do.
 *
 * @returns the names of the properties that one string cannot stand for
 */
export function propertiesBeyondText(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    isText(property) ? [] : [name],
  );
}

function isText(schema: JsonSchema): boolean {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.every(isText);
  if (schema.type !== undefined) return isScalarSchema(schema);
  return schema.enum?.every((value) => typeof value !== "object" || value === null) ?? !schema.$ref;
}

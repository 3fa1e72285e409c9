import type { JsonSchema } from "@tenon/runtime/manifest";
import { isScalarSchema } from "../json-schema/scalar-schema.js";

/**
 * Prompt arguments and URI variables are text on the wire, so only what one string can stand for will do. Of the
 * variables of a URI some are lists of such.
 *
 * @returns the names of the properties that one string cannot stand for
 */
export function propertiesBeyondText(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    isText(property) ? [] : [name],
  );
}

/** True for the schema of a list whose items are each what one string can stand for. */
export function isListOfTexts({ type, items, prefixItems }: JsonSchema): boolean {
  return type === "array" && prefixItems === undefined && typeof items === "object" && isText(items);
}

/** True for the schema of what one string can stand for. */
export function isText(schema: JsonSchema): boolean {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.every(isText);
  if (schema.type !== undefined) return isScalarSchema(schema);
  return schema.enum?.every((value) => typeof value !== "object" || value === null) ?? !schema.$ref;
}

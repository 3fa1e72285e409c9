import type { JsonSchema } from "@tenon/runtime/manifest";
import { isScalarSchema } from "../json-schema/scalar-schema.js";

/**
 * Finds the properties of prompt arguments or URI variables that one string cannot represent. Both are sent as text,
 * although some URI variables are lists of strings.
 *
 * @returns the names of these properties
 */
export function findNonTextProperties(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    isText(property) ? [] : [name],
  );
}

/** Returns whether a schema describes a list of items that one string can represent. */
export function isListOfTexts({ type, items, prefixItems }: JsonSchema): boolean {
  return type === "array" && prefixItems === undefined && typeof items === "object" && isText(items);
}

/** Returns whether a schema describes a value that one string can represent. */
export function isText(schema: JsonSchema): boolean {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return branches.every(isText);
  if (schema.type !== undefined) return isScalarSchema(schema);
  return schema.enum?.every((value) => typeof value !== "object" || value === null) ?? !schema.$ref;
}

/**
 * The schemas of the members of an object.
 * @module
 */
import type { JsonSchema } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";

/** Returns the schema of a declared member. Like validators, it treats `__proto__` as undeclared. */
export function getDeclaredMember({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined {
  return name !== "__proto__" && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/**
 * Returns the schemas of a member: its declared schema, the schemas of all patterns that match its name, or the schema
 * of additional members.
 */
export function findMemberSchemas(schema: JsonSchema, name: string): JsonSchema[] {
  const declared = getDeclaredMember(schema, name);
  if (declared !== undefined) return [declared];
  const { patternProperties = {}, additionalProperties } = schema;
  const matching = Object.entries(patternProperties).filter(([pattern]) =>
    new RegExp(pattern, "u").test(name),
  );
  if (matching.length > 0) return matching.map(([, each]) => each);
  return isObject(additionalProperties) ? [additionalProperties as JsonSchema] : [];
}

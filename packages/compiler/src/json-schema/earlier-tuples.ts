import type { JsonSchema } from "@tenon/runtime/manifest";

/** A schema of a dialect before 2020-12, in which the items of a tuple are a list, followed by those that have no place in it. */
type EarlierSchema = Omit<JsonSchema, "items"> & {
  readonly items?: JsonSchema["items"] | JsonSchema[];
  readonly additionalItems?: JsonSchema["items"];
};

/**
 * Returns a schema whose tuple is written as in 2020-12. Servers with the official SDK 1.x list draft-07. Schemas inside
 * are unchanged.
 *
 * @example
 * withCurrentTuple({ items: [{ type: "string" }], additionalItems: false })
 * // { prefixItems: [{ type: "string" }], items: false }
 */
export function withCurrentTuple(schema: JsonSchema | EarlierSchema): JsonSchema {
  const { items, additionalItems, ...others } = schema as EarlierSchema;
  if (!Array.isArray(items)) return schema as JsonSchema;
  return {
    ...others,
    ...(items.length > 0 && { prefixItems: items }),
    ...(additionalItems !== undefined && { items: additionalItems }),
  };
}

import type { JsonSchema, JsonTypeName, JsonValue } from "@tenon/runtime/manifest";

/**
 * Returns an `enum` with its `type`, even for one value: several clients reject `const`, and `enum` without `type`.
 */
export function createEnum(values: readonly JsonValue[]): JsonSchema {
  const types = [...new Set(values.map((value) => getJsonType(value)))];
  // 1 | 1.5 is not `["integer", "number"]`: every integer is a number.
  const names = types.includes("number") ? types.filter((name) => name !== "integer") : types;
  const [only] = names;
  return { type: names.length === 1 && only ? only : names, enum: [...values] };
}

/** Returns the values of a schema's `const` or `enum` that its `type` allows, or undefined if it has neither. */
export function listChoices({ const: constant, enum: values, type }: JsonSchema): JsonValue[] | undefined {
  const types = type === undefined ? undefined : [type].flat();
  return (constant === undefined ? values : [constant])?.filter((value) => {
    const own = getJsonType(value);
    return types === undefined || types.includes(own) || (own === "integer" && types.includes("number"));
  });
}

/** Returns the narrowest JSON Schema type of a value. */
function getJsonType(value: JsonValue): JsonTypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object";
}

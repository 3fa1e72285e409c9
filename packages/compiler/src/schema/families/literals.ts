import type { JsonTypeName, JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { NEVER, type Part, type Rule } from "../derivation.js";

/** The value of a literal type; undefined for all others. Bigints have none, since JSON writes them as text. */
export function literalValue(type: ts.Type): string | number | boolean | undefined {
  if (type.isStringLiteral() || (type.isNumberLiteral() && Number.isFinite(type.value))) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) {
    return (type as { intrinsicName?: string }).intrinsicName === "true";
  }
  return undefined;
}

/**
 * One `enum` with its `type`, for one value as for many: several clients refuse `const`, and `enum` without
 * `type`.
 */
export function enumeration(values: readonly JsonValue[]): Part {
  const types = [...new Set(values.map((value) => jsonType(value)))];
  // 1 | 1.5 is not `["integer", "number"]`: every integer is a number.
  const names = types.includes("number") ? types.filter((name) => name !== "integer") : types;
  const [only] = names;
  return { schema: { type: names.length === 1 && only ? only : names, enum: [...values] } };
}

/** The narrowest JSON Schema type of a value. */
export function jsonType(value: JsonValue): JsonTypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object";
}

/** String, number, boolean and bigint literals and enum members. */
export const literals: Rule = (type) => {
  const value = literalValue(type);
  if (value !== undefined) return enumeration([value]);
  // `enum Limit { None = 1 / 0 }`: JSON has no such number.
  if (type.isNumberLiteral()) return NEVER;
  if (type.flags & ts.TypeFlags.BigIntLiteral) {
    return { ...enumeration([bigintText(type as ts.BigIntLiteralType)]), conversion: { kind: "bigint" } };
  }
  // A member whose value the checker does not compute is some number.
  if (type.flags & ts.TypeFlags.Enum && !type.isUnion()) return { schema: { type: "number" } };
  return undefined;
};

function bigintText({ value }: ts.BigIntLiteralType): string {
  return `${value.negative ? "-" : ""}${value.base10Value}`;
}

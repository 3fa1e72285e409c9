import { ts } from "../../project/typescript.js";
import { enumeration } from "../../json-schema/enumeration.js";
import { NEVER } from "../../json-schema/fragment.js";
import { type TypeRule } from "../derivation.js";

/** The value of a literal type; undefined for all others. Bigints have none, since JSON writes them as text. */
export function literalValue(type: ts.Type): string | number | boolean | undefined {
  if (type.isStringLiteral() || (type.isNumberLiteral() && Number.isFinite(type.value))) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) {
    return (type as { intrinsicName?: string }).intrinsicName === "true";
  }
  return undefined;
}

/** String, number, boolean and bigint literals and enum members. */
export const literals: TypeRule = (type) => {
  const value = literalValue(type);
  if (value !== undefined) return { schema: enumeration([value]) };
  // `enum Limit { None = 1 / 0 }`: JSON has no such number.
  if (type.isNumberLiteral()) return NEVER;
  if (type.flags & ts.TypeFlags.BigIntLiteral) {
    const text = bigintText(type as ts.BigIntLiteralType);
    return { schema: enumeration([text]), conversion: { kind: "bigint" } };
  }
  // A member whose value the checker does not compute is some number.
  if (type.flags & ts.TypeFlags.Enum && !type.isUnion()) return { schema: { type: "number" } };
  return undefined;
};

function bigintText({ value }: ts.BigIntLiteralType): string {
  return `${value.negative ? "-" : ""}${value.base10Value}`;
}

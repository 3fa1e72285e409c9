import { ts } from "./typescript.js";

/** Returns the value of a literal type; undefined for all others. A bigint has none, since JSON represents it as text. */
export function getLiteralValue(type: ts.Type): string | number | boolean | undefined {
  if (type.isStringLiteral() || (type.isNumberLiteral() && Number.isFinite(type.value))) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) {
    return (type as { intrinsicName?: string }).intrinsicName === "true";
  }
  return undefined;
}

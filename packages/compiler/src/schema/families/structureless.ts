import type { JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../../typescript/typescript.js";
import type { TypeRule } from "../derivation/derivation.js";

const SOME_OBJECT: JsonSchema = { type: "object", properties: {} };
const SOME_ARRAY: JsonSchema = { type: "array", items: {} };

/** Derives `object`, which is anything but a primitive, and the literal `{}`, which is anything but `null`. */
export const structureless: TypeRule = (type) => {
  if (type.flags & ts.TypeFlags.NonPrimitive) return { schema: { anyOf: [SOME_OBJECT, SOME_ARRAY] } };
  if (!isEmptyLiteral(type)) return undefined;
  return { schema: { anyOf: [{ type: ["string", "number", "boolean"] }, SOME_OBJECT, SOME_ARRAY] } };
};

/** Returns whether a type is a literal `{}`. Empty interfaces, classes, and mapped types describe objects without members. */
export function isEmptyLiteral(type: ts.Type): boolean {
  if (!(type.flags & ts.TypeFlags.Object)) return false;
  const { objectFlags, symbol } = type as ts.ObjectType;
  if (
    !(objectFlags & ts.ObjectFlags.Anonymous) ||
    objectFlags & (ts.ObjectFlags.Mapped | ts.ObjectFlags.ObjectLiteral)
  ) {
    return false;
  }
  if (symbol && !(symbol.flags & ts.SymbolFlags.TypeLiteral)) return false;
  return type.getProperties().length === 0 &&
    type.getCallSignatures().length + type.getConstructSignatures().length === 0
    ? !type.getStringIndexType() && !type.getNumberIndexType() && !hasIndex(type)
    : false;
}

function hasIndex(type: ts.Type): boolean {
  return ((type as ts.Type & { indexInfos?: unknown[] }).indexInfos ?? []).length > 0;
}

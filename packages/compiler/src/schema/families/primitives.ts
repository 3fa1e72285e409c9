import { ts } from "../../project/typescript.js";
import { NEVER, REFUSED } from "../../json-schema/fragment.js";
import { type Rule } from "../derivation.js";

const STRING = { schema: { type: "string" } } as const;
const NUMBER = { schema: { type: "number" } } as const;
const BOOLEAN = { schema: { type: "boolean" } } as const;
const NULL = { schema: { type: "null" } } as const;
const BIGINT = { schema: { type: "string", pattern: "^-?\\d+$" }, conversion: { kind: "bigint" } } as const;

/** The types with a keyword of their own, and those that no JSON value can have. */
export const primitives: Rule = (type, place, derivation) => {
  const { flags } = type;
  if (flags & ts.TypeFlags.String) return STRING;
  if (flags & ts.TypeFlags.Number) return NUMBER;
  if (flags & ts.TypeFlags.Boolean) return BOOLEAN;
  if (flags & ts.TypeFlags.Null) return NULL;
  if (flags & ts.TypeFlags.BigInt) return BIGINT;
  // JSON has no `undefined`: a member that can only be that is absent.
  if (flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return NEVER;
  if (flags & ts.TypeFlags.ESSymbolLike) {
    derivation.report("type-symbol", place.node, { where: derivation.where(place) });
    return REFUSED;
  }
  return undefined;
};

/** `unknown` is every JSON value on purpose; `any` is so by accident more often than not. */
export const anything: Rule = (type, place, derivation) => {
  if (type.flags & ts.TypeFlags.Unknown) return { schema: {} };
  if (!(type.flags & ts.TypeFlags.Any)) return undefined;
  // An import that leads nowhere must not pass for a type that takes everything.
  if ((type as { intrinsicName?: string }).intrinsicName === "error") {
    const text = (place.typeNode ?? place.node).getText();
    derivation.report("type-not-found", place.node, { where: derivation.where(place), text });
    return REFUSED;
  }
  derivation.report("type-any", place.node, { where: derivation.where(place) });
  return { schema: {} };
};

import { BIGINT_PATTERN } from "@tenon/runtime/manifest";
import { brokenImportBehind } from "../../project/imports.js";
import { ts } from "../../project/typescript.js";
import { NEVER, UNSUPPORTED } from "../../json-schema/fragment.js";
import { type TypeRule } from "../derivation.js";

const STRING = { schema: { type: "string" } } as const;
const NUMBER = { schema: { type: "number" } } as const;
const BOOLEAN = { schema: { type: "boolean" } } as const;
const NULL = { schema: { type: "null" } } as const;
const BIGINT = {
  schema: { type: "string", pattern: BIGINT_PATTERN },
  conversion: { kind: "bigint" },
} as const;

/** The types with a keyword of their own, and those that no JSON value can have. */
export const primitives: TypeRule = (type, site, derivation) => {
  const { flags } = type;
  if (flags & ts.TypeFlags.String) return STRING;
  if (flags & ts.TypeFlags.Number) return NUMBER;
  if (flags & ts.TypeFlags.Boolean) return BOOLEAN;
  if (flags & ts.TypeFlags.Null) return NULL;
  if (flags & ts.TypeFlags.BigInt) return BIGINT;
  // JSON has no `undefined`: a member that can only be that is absent.
  if (flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return NEVER;
  if (flags & ts.TypeFlags.ESSymbolLike) {
    derivation.report("type-symbol", site.node, { where: derivation.where(site) });
    return UNSUPPORTED;
  }
  return undefined;
};

/** `unknown` is every JSON value on purpose; `any` is so by accident more often than not. */
export const anything: TypeRule = (type, site, derivation) => {
  if (type.flags & ts.TypeFlags.Unknown) return { schema: {} };
  if (!(type.flags & ts.TypeFlags.Any)) return undefined;
  // An import that leads nowhere must not pass for a type that takes everything.
  if ((type as { intrinsicName?: string }).intrinsicName === "error") {
    const text = (site.typeNode ?? site.node).getText();
    const { typeNode, node } = site;
    const cause = brokenImportBehind(typeNode, (typeNode ?? node).getSourceFile(), derivation.checker);
    derivation.report("type-not-found", cause ?? node, { where: derivation.where(site), text });
    return UNSUPPORTED;
  }
  derivation.report("type-any", site.node, { where: derivation.where(site) });
  return { schema: {} };
};

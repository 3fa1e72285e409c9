import { BIGINT_PATTERN } from "@tenon/runtime/manifest";
import { brokenImportBehind } from "../../project/imports.js";
import { ts } from "../../project/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import type { Derivation, TypeSite, TypeRule } from "../derivation.js";

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
    // `keyof` of a type that is not found is any key, symbols among them.
    const written = site.typeNode ?? site.node;
    if (ts.isTypeNode(written) && namesUnknownType(written, derivation.checker)) {
      return notFound(site, derivation);
    }
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
  if (isUnknownType(type)) return notFound(site, derivation);
  derivation.report("type-any", site.node, { where: derivation.where(site) });
  return { schema: {} };
};

function notFound(site: TypeSite, derivation: Derivation): SchemaFragment {
  const { typeNode, node } = site;
  const cause = brokenImportBehind(typeNode, (typeNode ?? node).getSourceFile(), derivation.checker);
  const text = (typeNode ?? node).getText();
  derivation.report("type-not-found", cause ?? node, { where: derivation.where(site), text });
  return UNSUPPORTED;
}

function isUnknownType(type: ts.Type): boolean {
  return (type as { intrinsicName?: string }).intrinsicName === "error";
}

/** Whether a type as written refers to one that TypeScript does not find. */
function namesUnknownType(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isTypeReferenceNode(node) && isUnknownType(checker.getTypeFromTypeNode(node))) return true;
  return ts.forEachChild(node, (child) => namesUnknownType(child, checker) || undefined) ?? false;
}

import { BIGINT_PATTERN } from "@tenon/runtime/manifest";
import { findBrokenImport } from "../../typescript/imports.js";
import { ts } from "../../typescript/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { isOwnNode } from "../../typescript/nodes.js";
import type { Derivation, TypeSite, TypeRule } from "../derivation/derivation.js";
import { getTypeNode } from "../derivation/type-sites.js";

const STRING = { schema: { type: "string" } } as const;
const NUMBER = { schema: { type: "number" } } as const;
const BOOLEAN = { schema: { type: "boolean" } } as const;
const NULL = { schema: { type: "null" } } as const;
const BIGINT = {
  schema: { type: "string", pattern: BIGINT_PATTERN },
  conversion: { kind: "bigint" },
} as const;

/** Derives types that have their own JSON Schema keyword, and reports those that have no JSON value. */
export const primitives: TypeRule = (type, site, derivation) => {
  const { flags } = type;
  if (flags & ts.TypeFlags.String) return STRING;
  if (flags & ts.TypeFlags.Number) return NUMBER;
  if (flags & ts.TypeFlags.Boolean) return BOOLEAN;
  if (flags & ts.TypeFlags.Null) return NULL;
  if (flags & ts.TypeFlags.BigInt) return BIGINT;
  // JSON has no `undefined`: a member that can only be `undefined` is absent.
  if (flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return NEVER;
  if (flags & ts.TypeFlags.ESSymbolLike) {
    // `keyof` of an unresolved type is any key, including symbols.
    const written = getTypeNode(site) ?? site.node;
    if (ts.isTypeNode(written) && findUnknownReference(written, derivation.checker)) {
      return reportNotFound(site, derivation);
    }
    derivation.report("type-symbol", site.node, { where: derivation.describeSite(site) });
    return UNSUPPORTED;
  }
  return undefined;
};

/** Derives `unknown` and `any`, which accept every JSON value. `any` is reported, since it is often accidental. */
export const anything: TypeRule = (type, site, derivation) => {
  if (type.flags & ts.TypeFlags.Unknown) return { schema: {} };
  if (!(type.flags & ts.TypeFlags.Any)) return undefined;
  // An unresolved import must not become a type that accepts everything.
  if (isUnknownType(type)) return reportNotFound(site, derivation);
  derivation.report("type-any", site.node, { where: derivation.describeSite(site) });
  return { schema: {} };
};

function reportNotFound(site: TypeSite, derivation: Derivation): SchemaFragment {
  const typeNode = getTypeNode(site);
  const cause = findBrokenImport(typeNode, (typeNode ?? site.node).getSourceFile(), derivation.checker);
  const missing = findUnknownReference(typeNode ?? site.node, derivation.checker);
  const node = missing && isOwnNode(missing) ? missing : site.node;
  const text = (missing ?? typeNode ?? site.node).getText();
  derivation.report("type-not-found", cause ?? node, {
    where: derivation.describeSite(site),
    text,
    isOfNode: !cause && NODE_TYPES.has(/^\w+/.exec(text)?.[0] ?? ""),
  });
  return UNSUPPORTED;
}

/** Global types that `@types/node` declares. Without the library `DOM`, nothing else declares them. */
const NODE_TYPES: ReadonlySet<string> = new Set(
  (
    "AbortController AbortSignal Blob Buffer BufferEncoding Event EventTarget File FormData Headers NodeJS ReadableStream " +
    "Request Response TextDecoder TextEncoder TransformStream URL URLSearchParams WritableStream"
  ).split(" "),
);

function isUnknownType(type: ts.Type): boolean {
  return (type as { intrinsicName?: string }).intrinsicName === "error";
}

/** Finds the first reference to an unknown type in a type node. */
function findUnknownReference(node: ts.Node, checker: ts.TypeChecker): ts.TypeReferenceNode | undefined {
  // An unknown type argument makes the whole type unknown, as in `Partial<Missing>`.
  const inside = ts.forEachChild(node, (child) => findUnknownReference(child, checker));
  if (inside) return inside;
  return ts.isTypeReferenceNode(node) && isUnknownType(checker.getTypeFromTypeNode(node)) ? node : undefined;
}

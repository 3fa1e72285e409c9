import type { CursorParameter } from "@tenon/runtime/manifest";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { isOwnNode } from "../../typescript/nodes.js";
import { ts } from "../../typescript/typescript.js";
import { applyComment } from "../constraints/apply-comment.js";
import type { TypeSite } from "../derivation/derivation.js";
import type { DerivationState, DeriveContext } from "../derivation-state.js";
import { deriveType } from "../derive.js";
import { findNameNode, type Property } from "../families/properties.js";
import type { Parameter } from "./from-object.js";

/** The argument that contains a cursor, and the parameter that receives it. */
export interface CursorArgument extends Property {
  readonly source: CursorParameter;
}

/**
 * Derives the argument of a cursor: an optional string, which the server decrypts.
 *
 * @param isSecond whether the method has another cursor
 * @returns undefined if the cursor cannot be served; the diagnostics explain why
 */
export function deriveCursor(
  { symbol, node, type, comment }: Parameter,
  method: ts.Node,
  isSecond: boolean,
  context: DeriveContext,
  state: DerivationState,
): CursorArgument | undefined {
  const { name } = symbol;
  const at = node && isOwnNode(node) ? (node.type ?? node.name) : method;
  const site: TypeSite = { node: at, segment: name };
  const problem = isSecond ? "second" : context.subject?.kind === "tool" ? undefined : "without-pages";
  if (problem) {
    state.report("type-cursor", at, { where: state.describeSite(site), problem });
    return undefined;
  }
  const [position = state.checker.getNumberType()] = state.checker.getTypeArguments(type as ts.TypeReference);
  const derived = deriveType(position, at, [name, "position"], context);
  if (!derived) return undefined;
  if (derived.conversion) {
    state.report("type-cursor-position", at, {
      where: state.describeSite(site),
      type: state.formatType(position),
    });
    return undefined;
  }
  const fragment: SchemaFragment = comment?.text
    ? { schema: { type: "string" }, note: NOTE }
    : { schema: { type: "string", description: NOTE } };
  return {
    name,
    fragment: applyComment(fragment, comment, type, site, state),
    at: findNameNode(symbol, method),
    required: false,
    source: { from: "cursor", name, position: derived.schema },
  };
}

const NOTE = "`nextCursor` of the previous page. Omit it for the first page.";

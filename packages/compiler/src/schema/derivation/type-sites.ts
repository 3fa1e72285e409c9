import { isOwnNode } from "../../typescript/nodes.js";
import { ts } from "../../typescript/typescript.js";
import { withoutUndefined } from "../../typescript/type-identity.js";
import type { WrittenType } from "../../syntax/type-syntax.js";
import type { Derivation, TypeSite } from "./derivation.js";

/** Returns a nested site. It points at `node` if the author can edit that, and otherwise at the outer node. */
export function nestSite(
  outer: TypeSite,
  segment: string | undefined,
  node: ts.Node | undefined,
  written: WrittenType | undefined = undefined,
  overrides: Pick<TypeSite, "binding" | "inUnion" | "documented"> = NO_OVERRIDES,
): TypeSite {
  const at =
    written && !written.structure && isOwnNode(written.node)
      ? written.node
      : node && isOwnNode(node)
        ? node
        : outer.node;
  // A member of a union is still the same value.
  const isSameValue = segment === undefined;
  return {
    node: at,
    written,
    outer,
    segment,
    binding: overrides.binding,
    inUnion: overrides.inUnion ?? outer.inUnion,
    documented: overrides.documented ?? (isSameValue ? outer.documented : undefined),
    isJson: isSameValue && outer.isJson,
  };
}

const NO_OVERRIDES: Pick<TypeSite, "binding" | "inUnion" | "documented"> = {};

/** Returns the same site with a different type expression, for a type other than the one written there. */
export function withWritten(site: TypeSite, written: WrittenType | undefined): TypeSite {
  return written === site.written ? site : { ...site, written };
}

/** Returns the site of a type for the derivation of its parts, with the resolved type expression. */
export function toInnerSite(site: TypeSite, written: WrittenType | undefined): TypeSite {
  const inside = withWritten(site, written);
  const from = site.written;
  if (!written || !from || ts.isTypeQueryNode(from.node)) return inside;
  // A mistake in a type argument is best reported where the argument is written.
  const isArgument = written.node !== from.node && written.bindings !== from.bindings;
  return isArgument && isOwnNode(written.node) ? { ...inside, node: written.node } : inside;
}

/** Returns the type expression at a site, or undefined if the type is combined from several. */
export function getTypeNode({ written }: TypeSite): ts.TypeNode | undefined {
  return written && !written.structure ? written.node : undefined;
}

/** Maximum number of steps in the path to a site. Types of packages may be nested deeply. */
const MAX_STEPS = 8;

/** Returns the steps from the root to a site. Of a long path, the middle is omitted. */
export function getPath(site: TypeSite): string[] {
  const path: string[] = [];
  for (let each: TypeSite | undefined = site; each; each = each.outer) {
    if (each.segment !== undefined) path.unshift(each.segment);
  }
  return path.length > MAX_STEPS ? [...path.slice(0, 2), "…", ...path.slice(-5)] : path;
}

/**
 * Returns the written type if it still denotes the type. Inside mapped and conditional types, the node of a
 * declaration is that of the original member, whose type may differ. Type parameters are resolved to their arguments.
 */
export function findTrustedType(
  written: WrittenType | undefined,
  type: ts.Type,
  { cache }: Derivation,
): WrittenType | undefined {
  const own = written && cache.types.resolveToAlias(written);
  return own && cache.types.denotes(own, withoutUndefined(type)) ? own : undefined;
}

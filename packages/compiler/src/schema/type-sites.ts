import { isOwnNode } from "../project/nodes.js";
import { ts } from "../project/typescript.js";
import {
  behindAliases,
  bindingsInside,
  NO_BINDINGS,
  type TypeBindings,
  withoutUndefined,
  type WrittenType,
} from "../project/written-type.js";
import { denotes } from "./denotes.js";
import { onlyPresent } from "./type-identity.js";
import type { Derivation, TypeSite } from "./derivation.js";

/** A site further in, pointing at `node` where the author can edit it, and at the outer node otherwise. */
export function inner(
  outer: TypeSite,
  segment: string | undefined,
  node: ts.Node | undefined,
  typeNode: ts.TypeNode | undefined = undefined,
  more: Pick<TypeSite, "binding" | "inUnion" | "bindings"> = NOTHING_MORE,
): TypeSite {
  const at = typeNode && isOwnNode(typeNode) ? typeNode : node && isOwnNode(node) ? node : outer.node;
  return {
    node: at,
    typeNode,
    bindings: more.bindings ?? outer.bindings,
    outer,
    segment,
    binding: more.binding,
    inUnion: more.inUnion ?? outer.inUnion,
    // A member of a union is the same value still.
    isJson: segment === undefined && outer.isJson,
  };
}

const NOTHING_MORE: Pick<TypeSite, "binding" | "inUnion" | "bindings"> = {};

/** The same site with another type node, for a type that is not the one written there. */
export function withTypeNode(
  site: TypeSite,
  typeNode: ts.TypeNode | undefined,
  bindings: TypeBindings | undefined = site.bindings,
): TypeSite {
  if (typeNode === site.typeNode && bindings === site.bindings) return site;
  const { node, outer, segment, binding, inUnion, isJson } = site;
  return { node, typeNode, bindings, outer, segment, binding, inUnion, isJson };
}

/**
 * The site of a list, as written where its name is declared: of `type Week = Day[]`, `Day[]`, which has the names of its parts.
 * So it is of `[...Week]`.
 */
export function behindNames(site: TypeSite, { checker }: Derivation): TypeSite {
  let written = writtenAt(site.typeNode, site);
  if (!written) return site;
  for (let next: WrittenType | undefined = written; next; next = onlySpread(written)) {
    written = behindAliases(next, checker);
  }
  return withTypeNode(site, written.node, written.bindings);
}

function onlySpread({ node, bindings }: WrittenType): WrittenType | undefined {
  const [only, ...others] = ts.isTupleTypeNode(node) ? node.elements : [];
  return only && others.length === 0 && ts.isRestTypeNode(only) ? { node: only.type, bindings } : undefined;
}

/** The site of a type, as its parts see it: with what is known of how it is written, and of its type parameters. */
export function insideOf(
  site: TypeSite,
  written: WrittenType | undefined,
  type: ts.Type,
  checker: ts.TypeChecker,
): TypeSite {
  const bindings = written?.bindings ?? site.bindings ?? NO_BINDINGS;
  const inside = withTypeNode(site, written?.node, bindingsInside(written?.node, bindings, type, checker));
  // A mistake in what stands for a type parameter is best shown where it is written.
  const isArgument = written && written.node !== site.typeNode && written.bindings !== site.bindings;
  return isArgument && isOwnNode(written.node) ? { ...inside, node: written.node } : inside;
}

/** The steps from the root to a site. */
export function pathOf(site: TypeSite): string[] {
  const path: string[] = [];
  for (let each: TypeSite | undefined = site; each; each = each.outer) {
    if (each.segment !== undefined) path.unshift(each.segment);
  }
  return path;
}

/**
 * The type node, if it still says what the type is: inside mapped and conditional types a declaration's node names
 * the member as it was before. A type parameter is followed to what stands for it.
 */
export function trustedNode(
  written: WrittenType | undefined,
  type: ts.Type,
  { checker }: Derivation,
): WrittenType | undefined {
  const own = written && withoutUndefined(written, checker);
  return own && denotes(own, onlyPresent(type), checker) ? own : undefined;
}

/** What is written at a node, with the type parameters of a site. */
export function writtenAt(
  node: ts.Node | undefined,
  { bindings = NO_BINDINGS }: Pick<TypeSite, "bindings">,
): WrittenType | undefined {
  return node && ts.isTypeNode(node) ? { node, bindings } : undefined;
}

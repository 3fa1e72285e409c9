import { ownComments } from "../../jsdoc/member-comments.js";
import { isConstraintTag } from "../../jsdoc/tags.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { aliasOf } from "../../project/nodes.js";
import { ts } from "../../project/typescript.js";
import {
  aliasTarget,
  behindAliases,
  settled,
  writtenAlternatives,
  type TypeBindings,
  type WrittenType,
} from "../../project/written-type.js";
import { applyComment } from "../constraints/apply-comment.js";
import { denotes } from "../denotes.js";
import type { Derivation, TypeRule, TypeSite } from "../derivation.js";
import { identityOf, isAbsent, membersOfUnion } from "../type-identity.js";
import { inner, writtenAt } from "../type-sites.js";
import { unionOf, type Alternative } from "./unions.js";

/**
 * Unions of which the checker keeps less than is written. `"day" | Range` is `string` to it, where `Range` is an alias
 * of `string` with a `@pattern`: the choice and the pattern are both lost, though a value has to be one of the two.
 * Such a union is derived from its alternatives as written; all others are left to the rules for their types.
 */
export const writtenUnions: TypeRule = (type, site, derivation) => {
  const parts = writtenParts(type, site, derivation);
  return parts && unionOfParts(parts, type, site, derivation);
};

/**
 * A union that is the same to the checker as one of its own alternatives: `"auto" | Size`, where `Size` is an alias of
 * `number | string` with a constraint. It is not that type, and so neither is it open while `Size` is derived.
 */
export function unionBesideItself(
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment | undefined {
  const parts = writtenParts(type, site, derivation);
  const same = parts?.filter((part) => identityOf(part.type) === identityOf(type)) ?? [];
  if (!parts || same.length === 0) return undefined;
  const fragment = unionOfParts(parts, type, site, derivation);
  const isNamedAfter = ({ alias }: Part): boolean =>
    alias !== undefined && type.aliasSymbol?.declarations?.includes(alias) === true;
  if (same.some((part) => isNamedAfter(part))) return fragment;
  return ownComments(type, derivation.cache.comments).reduce(
    (documented, comment) => applyComment(documented, comment, type, site, derivation),
    fragment,
  );
}

/** The alternatives as written, where they say more than the checker knows. */
function writtenParts(type: ts.Type, site: TypeSite, derivation: Derivation): Part[] | undefined {
  const { checker } = derivation;
  const written = writtenAt(site.typeNode, site);
  const union = written && behindAliases(written, checker);
  if (!union || !ts.isUnionTypeNode(union.node)) return undefined;
  const members = membersOfUnion(type);
  const outside = namesOfAll(union, checker);
  const isWhole = (alias: ts.TypeAliasDeclaration): boolean =>
    isConstrained(alias, derivation) && !outside.includes(alias);
  const parts = writtenAlternatives(union, checker, isWhole).map((each) => partOf(each, members, derivation));
  // What a type parameter stands for inside of it is known to the checker alone.
  if (parts.some((part) => part.isOpen)) return undefined;
  // `Node | Node` is a node, and no more than that.
  if (parts.some((part) => !part.isNamed && part.type === type)) return undefined;
  if (
    !parts.some(({ isNamed, type: { flags } }) => isNamed && flags & ts.TypeFlags.Union) &&
    !isMore(parts, members)
  )
    return undefined;
  return parts;
}

function unionOfParts(
  parts: readonly Part[],
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  const isPossible = (unit: ts.Type): boolean => derivation.checker.isTypeAssignableTo(unit, type);
  return unionOf(
    parts.flatMap((part) => alternativesOf(part, site).filter((each) => isPossible(each.type))),
    site,
    derivation,
  );
}

/** An alternative as written, with what the checker makes of it. */
interface Part {
  written: WrittenType;
  type: ts.Type;
  /** The alias that it names. */
  alias: ts.TypeAliasDeclaration | undefined;
  /** It is derived under its own name, because that has constraints. */
  isNamed: boolean;
  /** It holds type parameters, and none of the members is known to be what it comes to. */
  isOpen: boolean;
}

/** The only names in a union such as `Code | null`: their comments are about the whole, and come to it elsewhere. */
function namesOfAll(union: WrittenType, checker: ts.TypeChecker): ts.TypeAliasDeclaration[] {
  const parts = (union.node as ts.UnionTypeNode).types.filter((each) => {
    const type = checker.getTypeFromTypeNode(each);
    return !isAbsent(type) && !(type.flags & ts.TypeFlags.Null);
  });
  const [only] = parts;
  if (!only || parts.length > 1) return [];
  const names: ts.TypeAliasDeclaration[] = [];
  let next: WrittenType | undefined = settled({ node: only, bindings: union.bindings }, checker);
  for (; next && names.length < 20; next = aliasTarget(next, checker)) {
    const alias = aliasOf(next.node, checker);
    if (alias) names.push(alias.declaration);
  }
  return names;
}

/** Whether the comment of an alias says which values fit. */
function isConstrained(alias: ts.TypeAliasDeclaration, { cache }: Derivation): boolean {
  const tags = cache.comments.commentOf(alias)?.tags ?? [];
  return tags.some(({ name }) => isConstraintTag(name) && name !== "default" && name !== "header");
}

function partOf(written: WrittenType, members: readonly ts.Type[], derivation: Derivation): Part {
  const { checker } = derivation;
  const own = checker.getTypeFromTypeNode(written.node);
  const alias = aliasOf(written.node, checker)?.declaration;
  const isNamed = alias !== undefined && isConstrained(alias, derivation);
  // Inside of a generic declaration the checker's own type is one of type parameters.
  const actual =
    written.bindings.size > 0 ? members.find((member) => denotes(written, member, checker)) : own;
  const isOpen = actual === undefined && mentionsParameter(written.node, written.bindings, checker);
  return { written, type: actual ?? own, alias, isNamed, isOpen };
}

function mentionsParameter(node: ts.Node, bindings: TypeBindings, checker: ts.TypeChecker): boolean {
  if (ts.isIdentifier(node)) {
    const symbol = checker.getSymbolAtLocation(node);
    return symbol !== undefined && bindings.has(symbol);
  }
  return ts.forEachChild(node, (child) => mentionsParameter(child, bindings, checker) || undefined) === true;
}

/** Whether the parts say more than the members: one was absorbed by another, or two became one. */
function isMore(parts: readonly Part[], members: readonly ts.Type[]): boolean {
  const known = new Set(members.map((member) => identityOf(member)));
  const seen = new Set<string>();
  for (const unit of parts.flatMap(({ type }) => membersOfUnion(type))) {
    const identity = identityOf(unit);
    if (!known.has(identity) && !(unit.flags & ts.TypeFlags.Never)) return true;
    // A choice that is written twice is one choice.
    if (seen.has(identity) && !(unit.flags & ts.TypeFlags.Unit)) return true;
    seen.add(identity);
  }
  return false;
}

function alternativesOf({ written, type, isNamed }: Part, site: TypeSite): Alternative[] {
  const { node, bindings } = written;
  if (!type.isUnion() || isNamed) {
    return [{ type, site: () => inner(site, undefined, node, node, { inUnion: true, bindings }) }];
  }
  return membersOfUnion(type).map((unit) => ({
    type: unit,
    site: () => inner(site, undefined, undefined, undefined, { inUnion: true }),
  }));
}

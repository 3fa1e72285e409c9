import { getDeclaredTags } from "../../jsdoc/comment-cache.js";
import { limitsValues } from "../../jsdoc/tags.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { ts } from "../../typescript/typescript.js";
import { applyComment } from "../constraints/apply-comment.js";
import type { Derivation, TypeRule, TypeSite } from "../derivation/derivation.js";
import { getIdentity, isAbsent, getUnionMembers } from "../../typescript/type-identity.js";
import type { WrittenType } from "../../syntax/type-syntax.js";
import { pairAlternatives } from "../derivation/pair-alternatives.js";
import { nestSite } from "../derivation/type-sites.js";
import { deriveUnion, type Alternative } from "./unions.js";

/**
 * Derives unions that the checker simplifies too much. If `Range` is an alias of `string` with a `@pattern`, the
 * checker reduces `"day" | Range` to `string`. This loses both the choice and the pattern. Such a union is derived from
 * its alternatives as written. All others are left to the rules for their types.
 */
export const writtenUnions: TypeRule = (type, site, derivation) => {
  const parts = getWrittenParts(type, site, derivation);
  return parts && deriveParts(parts, type, site, derivation);
};

/**
 * Derives a union that the checker considers identical to one of its own alternatives. An example is `"auto" | Size`,
 * with `Size` an alias of `number | string` with a constraint. The union is not `Size`, so it is not a recursive
 * reference while `Size` is derived.
 */
export function deriveSelfContainingUnion(
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment | undefined {
  const parts = getWrittenParts(type, site, derivation);
  const same = parts?.filter((part) => getIdentity(part.type) === getIdentity(type)) ?? [];
  if (!parts || same.length === 0) return undefined;
  const fragment = deriveParts(parts, type, site, derivation);
  const isNamedAfter = ({ names }: Part): boolean =>
    names.some((each) => type.aliasSymbol?.declarations?.includes(each) === true);
  if (same.some((part) => isNamedAfter(part))) return fragment;
  return derivation.cache.types
    .getOwnComments(type)
    .reduce((documented, comment) => applyComment(documented, comment, type, site, derivation), fragment);
}

/** Returns the alternatives as written, if they are more exact than the checker's members. */
function getWrittenParts(type: ts.Type, site: TypeSite, derivation: Derivation): Part[] | undefined {
  const { types } = derivation.cache;
  const { structure } = site.written ? types.resolve(site.written) : {};
  if (structure?.kind !== "union") return undefined;
  const members = getUnionMembers(type);
  // Usually the union is a choice of literals, and the checker keeps them all.
  if (
    members.length === structure.types.length &&
    structure.types.every(({ node }) => ts.isLiteralTypeNode(node))
  )
    return undefined;
  const outside = listWholeNames(structure.types, derivation);
  const isWhole = (written: WrittenType): boolean =>
    listNames(written, derivation).some((each) => isConstrained(each, derivation) && !outside.includes(each));
  const alternatives = structure.types.flatMap((each) => types.getAlternatives(each, isWhole));
  const pairs = pairAlternatives(alternatives, members, types);
  const parts = alternatives.flatMap((each) => toPart(each, pairs.get(each), derivation) ?? []);
  // Inside a generic, only the checker knows the type arguments.
  if (parts.length < alternatives.length || !containsAll(parts, members)) return undefined;
  // `Node | Node` is the same as `Node`.
  if (parts.some((part) => !part.isNamed && part.type === type)) return undefined;
  if (
    !parts.some(({ isNamed, type: { flags } }) => isNamed && flags & ts.TypeFlags.Union) &&
    !isMoreExact(parts, members)
  )
    return undefined;
  return parts;
}

function deriveParts(
  parts: readonly Part[],
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  const isPossible = (unit: ts.Type): boolean => derivation.checker.isTypeAssignableTo(unit, type);
  return deriveUnion(
    parts.flatMap((part) => toAlternatives(part, site).filter((each) => isPossible(each.type))),
    site,
    derivation,
  );
}

/** An alternative as written, with the checker's type for it. */
interface Part {
  written: WrittenType;
  type: ts.Type;
  /** The declarations of its alias, and those that it was reached through. */
  names: readonly ts.Declaration[];
  /** Whether it is derived under its own name, because that has constraints. */
  isNamed: boolean;
}

/**
 * Returns the aliases of the only alternative other than `null`, as in `Code | null`: their comments describe the whole
 * union, and are applied elsewhere.
 */
function listWholeNames(
  alternatives: readonly WrittenType[],
  { cache: { types } }: Derivation,
): ts.Declaration[] {
  const [only, ...others] = alternatives.filter((each) => {
    const type = types.getType(each);
    return !type || (!isAbsent(type) && !(type.flags & ts.TypeFlags.Null));
  });
  return only && others.length === 0 ? types.getAliases(only) : [];
}

/** Returns the declarations that name an alternative: its alias, and those that it was reached through. */
function listNames(written: WrittenType, { cache: { types } }: Derivation): readonly ts.Declaration[] {
  const [alias] = types.getAliases(written);
  return [...(written.declarations ?? []), ...(alias ? [alias] : [])];
}

/** Returns whether the comment of a declaration, or the one before the type of an alias, constrains its values. */
function isConstrained(declaration: ts.Declaration, { cache: { comments } }: Derivation): boolean {
  return getDeclaredTags(declaration, comments).some(({ name }) => limitsValues(name));
}

function toPart(written: WrittenType, member: ts.Type | undefined, derivation: Derivation): Part | undefined {
  const { types } = derivation.cache;
  const names = listNames(written, derivation);
  const isNamed = names.some((each) => isConstrained(each, derivation));
  // Inside a generic declaration, the checker's own type refers to type parameters.
  const type = types.getType(written) ?? member;
  // The checker replaces `boolean` with its values, which have no comments.
  const isDescribed = type !== undefined && (type.flags & ts.TypeFlags.Boolean) !== 0 && names.length > 0;
  return type && { written, type, names, isNamed: isNamed || isDescribed };
}

/** Returns whether each member is part of an alternative, so that none is lost. */
function containsAll(parts: readonly Part[], members: readonly ts.Type[]): boolean {
  const known = new Set(parts.flatMap(({ type }) => getUnionMembers(type).map((unit) => getIdentity(unit))));
  return members.every((member) => known.has(getIdentity(member)));
}

/** Returns whether the parts are more exact than the members: one was absorbed by another, or two became one. */
function isMoreExact(parts: readonly Part[], members: readonly ts.Type[]): boolean {
  const known = new Set(members.map((member) => getIdentity(member)));
  const seen = new Set<string>();
  for (const unit of parts.flatMap(({ type }) => getUnionMembers(type))) {
    const identity = getIdentity(unit);
    if (!known.has(identity) && !(unit.flags & ts.TypeFlags.Never)) return true;
    // A choice that is written twice counts once.
    if (seen.has(identity) && !(unit.flags & ts.TypeFlags.Unit)) return true;
    seen.add(identity);
  }
  return false;
}

function toAlternatives({ written, type, isNamed }: Part, site: TypeSite): Alternative[] {
  if (!type.isUnion() || isNamed) {
    return [{ type, site: () => nestSite(site, undefined, written.node, written, { inUnion: true }) }];
  }
  return getUnionMembers(type).map((unit) => ({
    type: unit,
    site: () => nestSite(site, undefined, undefined, undefined, { inUnion: true }),
  }));
}

import { ts } from "../../typescript/typescript.js";
import { findLengths, isArrayData, limitElements, limitLength } from "./array-interfaces.js";
import { deriveArray } from "./arrays.js";
import { intersectPatterns } from "../../json-schema/intersect-patterns.js";
import { NEVER } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import { getLibraryName } from "./library-types.js";
import { reportImpossible } from "./objects.js";
import { isLibraryNode } from "../../typescript/nodes.js";
import { nestSite } from "../derivation/type-sites.js";
import { deriveTuple } from "./tuples.js";

/**
 * Derives intersections with a JSON form that one member determines: a branded primitive is its primitive, a branded
 * array its array, and a branded `Date` its date. All others are objects, and the rule for objects gets the properties
 * of the whole intersection from the checker.
 */
export const intersections: TypeRule = (type, site, derivation) => {
  if (!type.isIntersection()) return undefined;
  const { checker } = derivation;
  // The checker reduces `{ kind: "a" } & { kind: "b" }` to `never` only on demand.
  if (checker.isTypeAssignableTo(type, checker.getNeverType()))
    return reportImpossible(type, site, derivation);
  const primitive = type.types.map((member) => getPickedPrimitive(member) ?? member).filter(isPrimitive);
  const [only] = primitive;
  if (only)
    return primitive.length === 1
      ? derivation.derive(only, findMemberSite(site, only, derivation))
      : deriveNarrowest(primitive, site, derivation);

  const library = type.types.find((member) => getLibraryName(member) !== undefined);
  if (library) {
    reportOmitted(type, library, site, derivation);
    return derivation.derive(library, findMemberSite(site, library, derivation));
  }

  const tuple = type.types.find((member) => checker.isTupleType(member)) as ts.TupleTypeReference | undefined;
  if (tuple) {
    reportOmitted(type, tuple, site, derivation);
    const elements = checker.getTypeArguments(tuple).map((element, index) => {
      const property = checker.getPropertyOfType(type, String(index));
      return property ? checker.getTypeOfSymbol(property) : element;
    });
    // Comments describe the tuple as it is written.
    const own = checker.getTypeArguments(tuple);
    const at = findMemberSite(site, tuple, derivation);
    const isOwn = elements.every((each, index) => each === own[index]);
    const derived = isOwn ? derivation.derive(tuple, at) : deriveTuple(elements, tuple, at, derivation);
    return limitLength(derived, findLengths(type, checker));
  }
  const array = type.types.find((member) => checker.isArrayType(member));
  const element = array && checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (array === undefined || element === undefined) return undefined;
  reportOmitted(type, array, site, derivation);
  const at = findMemberSite(site, array, derivation);
  const isOwn = element === checker.getIndexTypeOfType(array, ts.IndexKind.Number);
  const derived = isOwn ? derivation.derive(array, at) : deriveArray(element, at, derivation);
  return limitElements(type, element, derived, at, derivation);
};

/** Reports data that an intersection adds to a type whose JSON cannot carry it, such as that of `Row[] & { total: number }`. */
function reportOmitted(
  type: ts.IntersectionType,
  base: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): void {
  const { checker } = derivation;
  const added = type.types
    .filter((each) => each !== base)
    .flatMap((each) => checker.getPropertiesOfType(each));
  const data = added.filter((each) => isArrayData(each, checker) && !isBrand(each, checker));
  if (data.length === 0) return;
  const members = [...new Set(data.map(({ name }) => name))];
  const isArray = checker.isArrayLikeType(base);
  derivation.report("type-member-omitted", site.node, {
    where: derivation.describeSite(site),
    type: derivation.formatType(type),
    members,
    base: isArray ? undefined : derivation.formatType(base),
  });
}

/** Names of members that are used as brands. */
const BRAND_NAME = /^_|^(?:brand|tag|opaque|nominal|flavor)$/i;

/** Returns whether a member exists only in the type: its name or its type shows that it is a brand. */
function isBrand(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeOfSymbol(symbol);
  const types = type.isUnion() && !(type.flags & ts.TypeFlags.Boolean) ? type.types : [type];
  return BRAND_NAME.test(symbol.name) || types.every(({ flags }) => flags & BRAND_FLAGS);
}

const BRAND_FLAGS = ts.TypeFlags.Unit | ts.TypeFlags.ESSymbolLike | ts.TypeFlags.Never | ts.TypeFlags.Unknown;

function isPrimitive({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)) === 0;
}

/** Returns `string` for `Pick<string, never>`, as packages write it in `"a" | (Pick<string, never> & { _?: never })`. */
export function getPickedPrimitive({ aliasSymbol, aliasTypeArguments }: ts.Type): ts.Type | undefined {
  const [source, keys] = aliasTypeArguments ?? [];
  const isLibrary = aliasSymbol?.declarations?.some((each) => isLibraryNode(each)) === true;
  const picksNothing = isLibrary && aliasSymbol?.name === "Pick" && keys && keys.flags & ts.TypeFlags.Never;
  return picksNothing && source && isPrimitive(source) ? source : undefined;
}

/** Derives primitives that must all match, such as `${string}@${string}` & `a${string}`. */
function deriveNarrowest(
  types: readonly ts.Type[],
  site: TypeSite,
  derivation: Derivation,
): ReturnType<TypeRule> {
  const fragments = types.map((type) => derivation.derive(type, nestSite(site, undefined, undefined)));
  const patterns = fragments.flatMap(({ schema }) => (schema.pattern === undefined ? [] : [schema.pattern]));
  if (patterns.length === fragments.length) {
    return {
      schema: { type: "string", pattern: patterns.reduce((first, each) => intersectPatterns(each, first)) },
    };
  }
  return (
    fragments.find((fragment) => fragment !== NEVER && fragment.schema.pattern !== undefined) ?? fragments[0]
  );
}

/**
 * Returns the site of a member as it is written. With `type Brand<T, B> = T & { brand: B }`, that of the primitive in
 * `Brand<Count, "Pages">` is `Count`.
 */
function findMemberSite(site: TypeSite, member: ts.Type, { cache }: Derivation): TypeSite {
  const written = site.written && cache.types.findPart(site.written, member);
  return nestSite(site, undefined, written?.node, written);
}

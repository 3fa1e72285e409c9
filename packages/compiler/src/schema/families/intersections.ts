import { ts } from "../../typescript/typescript.js";
import { deriveArray } from "./arrays.js";
import { intersectPatterns } from "../../json-schema/intersect-patterns.js";
import { NEVER } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import { getLibraryName } from "./library-types.js";
import { reportImpossible } from "./objects.js";
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
  const primitive = type.types.filter(
    (member) => !(member.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)),
  );
  const [only] = primitive;
  if (only)
    return primitive.length === 1
      ? derivation.derive(only, findMemberSite(site, only, derivation))
      : deriveNarrowest(primitive, site, derivation);

  const library = type.types.find((member) => getLibraryName(member) !== undefined);
  if (library) return derivation.derive(library, findMemberSite(site, library, derivation));

  const tuple = type.types.find((member) => checker.isTupleType(member)) as ts.TupleTypeReference | undefined;
  if (tuple) {
    const elements = checker.getTypeArguments(tuple).map((element, index) => {
      const property = checker.getPropertyOfType(type, String(index));
      return property ? checker.getTypeOfSymbol(property) : element;
    });
    // Comments describe the tuple as it is written.
    const own = checker.getTypeArguments(tuple);
    if (elements.every((each, index) => each === own[index]))
      return derivation.derive(tuple, findMemberSite(site, tuple, derivation));
    return deriveTuple(elements, tuple, findMemberSite(site, tuple, derivation), derivation);
  }
  const array = type.types.find((member) => checker.isArrayType(member));
  const element = array && checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (array && element === checker.getIndexTypeOfType(array, ts.IndexKind.Number))
    return derivation.derive(array, findMemberSite(site, array, derivation));
  if (array && element) return deriveArray(element, findMemberSite(site, array, derivation), derivation);
  return undefined;
};

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

import { ts } from "../../project/typescript.js";
import { arrayOf } from "./arrays.js";
import { bothPatterns } from "../../json-schema/both-patterns.js";
import { NEVER } from "../../json-schema/fragment.js";
import { NO_BINDINGS, settled } from "../../project/written-type.js";
import { denotes } from "../denotes.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation.js";
import { libraryName } from "./library-types.js";
import { impossible } from "./objects.js";
import { behindNames, inner } from "../type-sites.js";
import { tupleOf } from "./tuples.js";

/**
 * Intersections whose JSON form one member decides: a branded primitive is its primitive, a branded array its
 * array, a branded `Date` its date. All others are objects, and the rule for objects asks the checker for the
 * properties of the whole.
 */
export const intersections: TypeRule = (type, site, derivation) => {
  if (!type.isIntersection()) return undefined;
  const { checker } = derivation;
  // `{ kind: "a" } & { kind: "b" }` stays an intersection until someone asks.
  if (checker.isTypeAssignableTo(type, checker.getNeverType())) return impossible(type, site, derivation);
  const primitive = type.types.filter(
    (member) => !(member.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)),
  );
  const [only] = primitive;
  if (only)
    return primitive.length === 1
      ? derivation.derive(only, memberSite(site, only, derivation))
      : narrowest(primitive, site, derivation);

  const library = type.types.find((member) => libraryName(member) !== undefined);
  if (library) return derivation.derive(library, memberSite(site, library, derivation));

  const tuple = type.types.find((member) => checker.isTupleType(member)) as ts.TupleTypeReference | undefined;
  if (tuple) {
    const elements = checker.getTypeArguments(tuple).map((element, index) => {
      const property = checker.getPropertyOfType(type, String(index));
      return property ? checker.getTypeOfSymbol(property) : element;
    });
    return tupleOf(elements, tuple, memberSite(site, tuple, derivation), derivation);
  }
  const array = type.types.find((member) => checker.isArrayType(member));
  const element = array && checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (array && element) return arrayOf(element, memberSite(site, array, derivation), derivation);
  return undefined;
};

/** `${string}@${string}` & `a${string}`: each of the types must hold. */
function narrowest(types: readonly ts.Type[], site: TypeSite, derivation: Derivation): ReturnType<TypeRule> {
  const fragments = types.map((type) => derivation.derive(type, inner(site, undefined, undefined)));
  const patterns = fragments.flatMap(({ schema }) => (schema.pattern === undefined ? [] : [schema.pattern]));
  if (patterns.length === fragments.length) {
    return {
      schema: { type: "string", pattern: patterns.reduce((first, each) => bothPatterns(each, first)) },
    };
  }
  return (
    fragments.find((fragment) => fragment !== NEVER && fragment.schema.pattern !== undefined) ?? fragments[0]
  );
}

/** The site of a member as it is written: of `Brand<Count, "Pages">`, where `type Brand<T, B> = T & { brand: B }`, `Count`. */
function memberSite(site: TypeSite, member: ts.Type, derivation: Derivation): TypeSite {
  const { checker } = derivation;
  const { typeNode, bindings = NO_BINDINGS } = behindNames(site, derivation);
  const parts = typeNode && ts.isIntersectionTypeNode(typeNode) ? typeNode.types : [];
  const part = parts
    .map((node) => settled({ node, bindings }, checker))
    .find((each) => denotes(each, member, checker));
  return inner(site, undefined, part?.node, part?.node, { bindings: part?.bindings });
}

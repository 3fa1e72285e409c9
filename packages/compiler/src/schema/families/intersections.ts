import { ts } from "../../project/typescript.js";
import { arrayOf } from "./arrays.js";
import { NEVER } from "../../json-schema/fragment.js";
import { type Derivation, type Place, type Rule } from "../derivation.js";
import { libraryName } from "./library-types.js";
import { impossible } from "./objects.js";
import { inner } from "../type-sites.js";
import { tupleOf } from "./tuples.js";

/**
 * Intersections whose JSON form one member decides: a branded primitive is its primitive, a branded array its
 * array, a branded `Date` its date. All others are objects, and the rule for objects asks the checker for the
 * properties of the whole.
 */
export const intersections: Rule = (type, place, derivation) => {
  if (!type.isIntersection()) return undefined;
  const { checker } = derivation;
  // `{ kind: "a" } & { kind: "b" }` stays an intersection until someone asks.
  if (checker.isTypeAssignableTo(type, checker.getNeverType())) return impossible(type, place, derivation);
  const primitive = type.types.filter(
    (part) => !(part.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive)),
  );
  const [only] = primitive;
  if (only)
    return primitive.length === 1
      ? derivation.derive(only, memberPlace(place, only, derivation))
      : narrowest(primitive, place, derivation);

  const library = type.types.find((part) => libraryName(part) !== undefined);
  if (library) return derivation.derive(library, memberPlace(place, library, derivation));

  const tuple = type.types.find((part) => checker.isTupleType(part)) as ts.TupleTypeReference | undefined;
  if (tuple) {
    const elements = checker.getTypeArguments(tuple).map((element, index) => {
      const property = checker.getPropertyOfType(type, String(index));
      return property ? checker.getTypeOfSymbol(property) : element;
    });
    return tupleOf(elements, tuple, place, derivation);
  }
  if (type.types.some((part) => checker.isArrayType(part))) {
    const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    return element && arrayOf(element, place, derivation);
  }
  return undefined;
};

/** `${string}@${string}` & `a${string}`: each of the types must hold. */
function narrowest(types: readonly ts.Type[], place: Place, derivation: Derivation): ReturnType<Rule> {
  const parts = types.map((type) => derivation.derive(type, inner(place, undefined, undefined)));
  const patterns = parts.flatMap(({ schema }) => (schema.pattern === undefined ? [] : [schema.pattern]));
  if (patterns.length === parts.length) {
    const [first = "", ...others] = patterns;
    return {
      schema: {
        type: "string",
        pattern: `^${others.map((pattern) => `(?=${pattern.slice(1)})`).join("")}${first.slice(1)}`,
      },
    };
  }
  return parts.find((part) => part !== NEVER && part.schema.pattern !== undefined) ?? parts[0];
}

function memberPlace(place: Place, member: ts.Type, derivation: Derivation): Place {
  const node =
    place.typeNode && ts.isIntersectionTypeNode(place.typeNode)
      ? place.typeNode.types.find((each) => derivation.checker.getTypeFromTypeNode(each) === member)
      : undefined;
  return inner(place, undefined, node, node);
}

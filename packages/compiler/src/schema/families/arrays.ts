import { ts } from "../../typescript/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import { allowNull } from "../derivation/join.js";
import { mayBeAbsent } from "../../typescript/type-identity.js";
import { isFunction, isSymbolName } from "./members.js";
import { nestSite, withWritten } from "../derivation/type-sites.js";

/** Derives `T[]` and `readonly T[]`. `items` is always present: several clients reject an array without it. */
export const arrays: TypeRule = (type, site, derivation) => {
  const { checker } = derivation;
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    return element && deriveArray(element, site, derivation);
  }
  if (!extendsArray(type, checker)) return undefined;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  const members = type.getProperties().flatMap((each) => (isArrayData(each, checker) ? [each.name] : []));
  if (members.length > 0)
    derivation.report("type-member-omitted", site.node, {
      where: derivation.describeSite(site),
      type: derivation.formatType(type),
      members,
    });
  return element && deriveArray(element, withWritten(site, undefined), derivation);
};

/** Returns whether a member contains data that is not an element of the array. */
function isArrayData(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const { name, escapedName } = symbol;
  if (name === "length" || /^\d+$/.test(name) || isSymbolName(escapedName)) return false;
  return !isFunction(checker.getTypeOfSymbol(symbol));
}

/** Returns whether a type extends an array, as in `interface Tags extends Array<string> {}`. Its JSON is an array too. */
function extendsArray(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!type.isClassOrInterface() && !((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference))
    return false;
  const hasBase = type.symbol?.declarations?.some(
    (each) => (ts.isClassLike(each) || ts.isInterfaceDeclaration(each)) && each.heritageClauses !== undefined,
  );
  return hasBase === true && checker.isArrayLikeType(type) && !checker.isTupleType(type);
}

/** Returns the fragment of an array with elements of one type. */
export function deriveArray(element: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const written = site.written && derivation.cache.types.findIndexMember(site.written)?.written;
  const items = deriveElement(element, nestSite(site, "[]", written?.node, written), derivation);
  if (items === UNSUPPORTED) return UNSUPPORTED;
  if (items === NEVER) return { schema: { type: "array", items: {}, maxItems: 0 } };
  return {
    schema: { type: "array", items: items.schema },
    ...(items.conversion && { conversion: { kind: "array", items: items.conversion } }),
  };
}

/** Derives an element. In outputs it may also be `null`, since JSON represents an `undefined` element that way. */
export function deriveElement(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const fragment = derivation.derive(type, site);
  if (derivation.direction === "input" || !mayBeAbsent(type) || fragment === UNSUPPORTED) return fragment;
  return allowNull(fragment);
}

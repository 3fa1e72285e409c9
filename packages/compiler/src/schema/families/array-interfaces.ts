import type { JsonSchema } from "@tenon/runtime/manifest";
import { ts } from "../../typescript/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import { nestSite } from "../derivation/type-sites.js";
import { isLibraryNode } from "../../typescript/nodes.js";
import { deriveArray, deriveElement } from "./arrays.js";
import { isFunction, isSymbolName } from "./members.js";
import { createOpenEndedTuple } from "./tuples.js";

/**
 * Derives interfaces and classes whose JSON is an array: those that extend an array, as in `interface Tags extends Array<string> {}`,
 * and `ArrayLike`.
 */
export const arrayInterfaces: TypeRule = (type, site, derivation) => {
  const { checker, direction, report } = derivation;
  if (!isArrayInterface(type, checker)) return undefined;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  if (element === undefined) return undefined;
  const described = { where: derivation.describeSite(site), type: derivation.formatType(type) };
  const properties = type.getProperties();
  const method = properties.find((each) => isOwnMethod(each, checker))?.name;
  if (direction === "input" && method !== undefined) {
    if (!(type.symbol.flags & ts.SymbolFlags.Class)) {
      report("type-has-methods", site.node, { ...described, method, isText: false, injected: undefined });
      return UNSUPPORTED;
    }
    report("type-methods-missing", site.node, { ...described, method });
  }
  const members = properties.flatMap((each) => (isArrayData(each, checker) ? [each.name] : []));
  if (members.length > 0) report("type-member-omitted", site.node, { ...described, members });
  return limitElements(type, element, deriveArray(element, site, derivation), site, derivation);
};

/** Returns whether a type is an interface or a class whose JSON is an array. */
export function isArrayInterface(type: ts.Type, checker: ts.TypeChecker): boolean {
  return isArrayLike(type, checker) || extendsArray(type, checker);
}

/** Returns whether a member contains data that is not an element of the array. */
export function isArrayData(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const { name, escapedName } = symbol;
  if (name === "length" || /^\d+$/.test(name) || isSymbolName(escapedName)) return false;
  return !isFunction(checker.getTypeOfSymbol(symbol));
}

/** Returns whether a member is a method that arrays lack. */
function isOwnMethod(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (symbol.flags & ts.SymbolFlags.Optional) return false;
  const isLibrary = symbol.declarations?.some((each) => isLibraryNode(each)) ?? true;
  return !isLibrary && isFunction(checker.getTypeOfSymbol(symbol));
}

/** Returns whether a type extends an array. */
function extendsArray(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!type.isClassOrInterface() && !((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference))
    return false;
  const hasBase = type.symbol?.declarations?.some(
    (each) => (ts.isClassLike(each) || ts.isInterfaceDeclaration(each)) && each.heritageClauses !== undefined,
  );
  return hasBase === true && checker.isArrayLikeType(type) && !checker.isTupleType(type);
}

/** Returns whether a type is `ArrayLike`, or an interface that extends it. */
function isArrayLike(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.symbol?.name === "ArrayLike")
    return type.symbol.declarations?.some((each) => isLibraryNode(each)) === true;
  const declared = (type as Partial<ts.TypeReference>).target ?? type;
  return (
    declared.isClassOrInterface() && checker.getBaseTypes(declared).some((base) => isArrayLike(base, checker))
  );
}

/**
 * Adds what a type declares about the first elements of an array, and about its length, as in `string[] & { 0: string }` or
 * `interface Pair extends Array<string> { length: 2 }`.
 *
 * @param element the type of the elements
 * @param array the fragment of the array
 */
export function limitElements(
  type: ts.Type,
  element: ts.Type,
  array: SchemaFragment,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  const { checker } = derivation;
  const first = listRequiredElements(type, element, checker);
  return limitLength(startWith(first, element, array, site, derivation), findLengths(type, checker));
}

/** Returns the types of the first elements in `string[] & { 0: string }`, as packages write a list that is not empty. */
function listRequiredElements(type: ts.Type, element: ts.Type, checker: ts.TypeChecker): ts.Type[] {
  const types: ts.Type[] = [];
  for (const property of checker.getPropertiesOfType(type)) {
    if (/^\d{1,3}$/.test(property.name) && (property.flags & ts.SymbolFlags.Optional) === 0)
      types[Number(property.name)] = checker.getTypeOfSymbol(property);
  }
  return Array.from(types, (each: ts.Type | undefined) => each ?? element);
}

/** Returns the fragment of an array that has these elements first. */
function startWith(
  first: readonly ts.Type[],
  element: ts.Type,
  array: SchemaFragment,
  site: TypeSite,
  derivation: Derivation,
): SchemaFragment {
  if (first.length === 0 || array === UNSUPPORTED || array === NEVER) return array;
  if (first.every((each) => each === element))
    return { ...array, schema: { ...array.schema, minItems: first.length } };
  const elements = [...first, element].map((each, index) =>
    deriveElement(each, nestSite(site, index < first.length ? `[${index}]` : "[]", undefined), derivation),
  );
  if (elements.includes(UNSUPPORTED)) return UNSUPPORTED;
  if (elements.slice(0, -1).includes(NEVER)) return NEVER;
  return createOpenEndedTuple(elements, first.length, derivation.direction);
}

/** Returns the lengths of arrays such as `number[] & { length: 2 }`; undefined if any length is allowed. */
export function findLengths(type: ts.Type, checker: ts.TypeChecker): readonly number[] | undefined {
  const property = checker.getPropertyOfType(type, "length");
  const length = property && checker.getTypeOfSymbol(property);
  if (length === undefined) return undefined;
  const lengths = length.isUnion() ? length.types : [length];
  return lengths.every((each) => each.isNumberLiteral()) ? lengths.map(({ value }) => value) : undefined;
}

/** Limits the number of items. Lengths that are not consecutive become a union. */
export function limitLength(
  fragment: SchemaFragment,
  lengths: readonly number[] | undefined,
): SchemaFragment {
  if (lengths === undefined || fragment === UNSUPPORTED || fragment === NEVER) return fragment;
  const { schema, ...others } = fragment;
  const { minItems = 0, maxItems = Infinity } = schema;
  const possible = lengths
    .filter((each) => Number.isSafeInteger(each) && each >= minItems && each <= maxItems)
    .toSorted((a, b) => a - b);
  const [min, max] = [possible[0], possible.at(-1)];
  if (min === undefined || max === undefined) return NEVER;
  const limit = (from: number, to: number): JsonSchema => ({
    ...schema,
    ...(from > 0 && { minItems: from }),
    maxItems: to,
  });
  const isRange = possible.length === max - min + 1;
  return {
    ...others,
    schema: isRange ? limit(min, max) : { anyOf: possible.map((each) => limit(each, each)) },
  };
}

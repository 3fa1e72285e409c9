import { ts } from "../../project/typescript.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation.js";
import { orNull } from "../join.js";
import { mayBeAbsent } from "../type-identity.js";
import { behindNames, inner } from "../type-sites.js";

/** `T[]` and `readonly T[]`. `items` is always there: several clients refuse an array without. */
export const arrays: TypeRule = (type, site, derivation) => {
  const { checker } = derivation;
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    return element && arrayOf(element, site, derivation);
  }
  if (!extendsArray(type, checker)) return undefined;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return element && arrayOf(element, { ...site, typeNode: undefined }, derivation);
};

/** `interface Tags extends Array<string> {}`: JSON writes it as an array all the same. */
function extendsArray(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!type.isClassOrInterface() && !((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference))
    return false;
  const hasBase = type.symbol?.declarations?.some(
    (each) => (ts.isClassLike(each) || ts.isInterfaceDeclaration(each)) && each.heritageClauses !== undefined,
  );
  return hasBase === true && checker.isArrayLikeType(type) && !checker.isTupleType(type);
}

/** The fragment of an array with elements of one type. */
export function arrayOf(element: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const behind = behindNames(site, derivation);
  const node = elementNode(behind);
  const items = deriveElement(element, inner(behind, "[]", node, node), derivation);
  if (items === UNSUPPORTED) return UNSUPPORTED;
  if (items === NEVER) return { schema: { type: "array", items: {}, maxItems: 0 } };
  return {
    schema: { type: "array", items: items.schema },
    ...(items.conversion && { conversion: { kind: "array", items: items.conversion } }),
  };
}

/** JSON writes an `undefined` element as `null`. Nobody can send one, so this is for outputs only. */
export function deriveElement(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const fragment = derivation.derive(type, site);
  if (derivation.direction === "input" || !mayBeAbsent(type) || fragment === UNSUPPORTED) return fragment;
  return orNull(fragment);
}

/** What is written for the elements of an array. */
export function elementNode({ typeNode }: TypeSite): ts.TypeNode | undefined {
  if (!typeNode) return undefined;
  if (ts.isArrayTypeNode(typeNode)) return typeNode.elementType;
  return ts.isTypeReferenceNode(typeNode) ? typeNode.typeArguments?.[0] : undefined;
}

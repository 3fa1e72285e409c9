/**
 * Finds members as their authors wrote them: in classes and interfaces with everything that they extend, object literals,
 * mapped types, intersections, unions, and lists.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import { isClassOrInterface } from "./names.js";
import { getPropertyNames } from "./property-names.js";
import { getFunctionStructure } from "./signatures.js";
import {
  assemble,
  addDeclarations,
  NO_BINDINGS,
  type ObjectStructure,
  type Structure,
  type TupleElement,
  type TypeResolver,
  toUnion,
  type WrittenMember,
  type WrittenType,
} from "./written-type.js";

type MappedStructure = Extract<Structure, { kind: "mapped" }>;

/** Returns the structure of a type from the declarations of its symbol. */
export function getDeclaredStructure(declarations: readonly ts.Declaration[]): Structure | undefined {
  const mapped = declarations.find((each) => ts.isMappedTypeNode(each));
  if (mapped) return { kind: "mapped", node: mapped, bindings: NO_BINDINGS };
  const isObject = declarations.some(
    (each) => isClassOrInterface(each) || ts.isTypeLiteralNode(each) || ts.isObjectLiteralExpression(each),
  );
  return isObject ? { kind: "object", declarations, bindings: NO_BINDINGS, typeArguments: [] } : undefined;
}

/**
 * Finds a member of a type by its name.
 *
 * @param symbol the checker's symbol of the member, if known; it has the name that the member had before `as` changed it
 * @returns undefined if the type has no such member, or its declarations do not show it
 */
export function findMember(
  owner: WrittenType,
  name: string,
  symbol: ts.Symbol | undefined,
  resolver: TypeResolver,
): WrittenMember | undefined {
  const { structure, end } = resolver.resolve(owner);
  switch (structure.kind) {
    case "object":
      return findObjectMember(structure, name, symbol, end, resolver);
    case "mapped":
      return findMappedMember(structure, name, symbol, resolver.getType(owner), end, resolver);
    case "intersection":
      return combineMembers(
        structure.types.flatMap((each) => findMember(each, name, symbol, resolver) ?? []),
        "intersection",
        end,
      );
    case "union": {
      const found = structure.types.flatMap((each) => findMember(each, name, undefined, resolver) ?? []);
      return found.length === structure.types.length ? combineMembers(found, "union", end) : undefined;
    }
    case "tuple":
      return getElement(structure.elements, name, resolver);
    case "array":
      return /^\d+$/.test(name) ? { written: structure.element } : undefined;
    default:
      return undefined;
  }
}

/** Combines members of several types that have the same name. */
function combineMembers(
  members: readonly WrittenMember[],
  kind: "union" | "intersection",
  at: WrittenType,
): WrittenMember | undefined {
  const [first, ...others] = members;
  if (!first || others.length === 0) return first;
  const types = members.flatMap(({ written }) => written ?? []);
  return { written: types.length === members.length ? assemble(at, { kind, types }) : undefined };
}

function findObjectMember(
  structure: ObjectStructure,
  name: string,
  symbol: ts.Symbol | undefined,
  at: WrittenType,
  resolver: TypeResolver,
): WrittenMember | undefined {
  const own = structure.declarations.flatMap((each) => findMembersNamed(each, name));
  if (own.length > 0) return { written: getMemberType(own, structure.bindings, at, resolver) };
  return findFirst(resolver.listBases(structure), (base) => findMember(base, name, symbol, resolver));
}

function findMembersNamed(owner: ts.Declaration, name: string): ts.Declaration[] {
  const members: readonly ts.Declaration[] =
    isClassOrInterface(owner) || ts.isTypeLiteralNode(owner)
      ? [...owner.members]
      : ts.isObjectLiteralExpression(owner)
        ? [...owner.properties]
        : [];
  return members.flatMap((each): readonly ts.Declaration[] => {
    if (ts.isConstructorDeclaration(each))
      return each.parameters.filter(
        (parameter) => ts.isParameterPropertyDeclaration(parameter, each) && getName(parameter) === name,
      );
    return getName(each) === name && !isStatic(each) ? [each] : [];
  });
}

function getName(declaration: ts.Declaration): string | undefined {
  const name = ts.getNameOfDeclaration(declaration);
  if (!name) return undefined;
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  if (!ts.isComputedPropertyName(name)) return undefined;
  return ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

function isStatic(declaration: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Static) !== 0;
}

/** Returns the type of a property, accessor, or method. Several declarations are overloads, or a pair of accessors. */
function getMemberType(
  declarations: readonly ts.Declaration[],
  bindings: WrittenType["bindings"],
  { node }: WrittenType,
  { checker }: TypeResolver,
): WrittenType | undefined {
  const written = getDeclaredTypeNode(declarations);
  const methods = declarations.filter((each) => ts.isMethodSignature(each) || ts.isMethodDeclaration(each));
  const functions =
    methods.length > 0 || written ? methods : declarations.flatMap((each) => getFunctionValue(each));
  if (functions.length > 0)
    return assemble({ node, bindings }, getFunctionStructure(functions, bindings, node), declarations);
  if (written) return { node: written, bindings, declarations };
  const [declaration] = declarations;
  return (
    declaration && {
      ...assemble({ node, bindings }, { kind: "leaf" }, declarations),
      type: checker.getTypeAtLocation(declaration),
    }
  );
}

/** Returns the function that is the value of a property, as in `{ double: (n: number) => 2 * n }`. */
function getFunctionValue(property: ts.Declaration): (ts.ArrowFunction | ts.FunctionExpression)[] {
  const { initializer: value } = property as Partial<ts.PropertyDeclaration>;
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? [value] : [];
}

/** Returns the type written after the name, or after `as` for a value in an object literal. */
export function getDeclaredTypeNode(declarations: readonly ts.Declaration[]): ts.TypeNode | undefined {
  for (const each of declarations) {
    const { type, initializer } = each as { type?: ts.Node; initializer?: ts.Expression };
    if (type && ts.isTypeNode(type) && !ts.isTypePredicateNode(type)) return type;
    const setter = ts.isSetAccessor(each) ? each.parameters[0]?.type : undefined;
    if (setter) return setter;
    if (initializer && ts.isAsExpression(initializer) && !ts.isConstTypeReference(initializer.type))
      return initializer.type;
  }
  return undefined;
}

/** Finds a member of a mapped type: the template with the member's name in place of the type parameter. */
function findMappedMember(
  { node, bindings }: MappedStructure,
  name: string,
  symbol: ts.Symbol | undefined,
  type: ts.Type | undefined,
  at: WrittenType,
  resolver: TypeResolver,
): WrittenMember | undefined {
  const own = type?.getProperty(name);
  const before = getOriginalName(symbol ?? own) ?? (node.nameType ? undefined : name);
  const lacksMember = type && !own && resolver.checker.getIndexInfosOfType(type).length === 0;
  if (before === undefined || lacksMember) return undefined;
  const { constraint } = node.typeParameter;
  const names = !type && constraint ? getPropertyNames({ node: constraint, bindings }, resolver) : undefined;
  if (Array.isArray(names) && !names.includes(before)) return undefined;
  return {
    written: getTemplate(before, { node, bindings }, at, resolver.checker),
    declaredBy: node.typeParameter,
  };
}

/** Returns the type of a mapped type's values for one name, or for all names of an index signature (undefined). */
export function getTemplate(
  name: string | undefined,
  { node, bindings }: { node: ts.MappedTypeNode; bindings: WrittenType["bindings"] },
  at: WrittenType,
  checker: ts.TypeChecker,
): WrittenType | undefined {
  const parameter = checker.getSymbolAtLocation(node.typeParameter.name);
  if (!node.type || !parameter) return undefined;
  const value = assemble(at, { kind: "name", name });
  return { node: node.type, bindings: new Map([...bindings, [parameter, value]]) };
}

/** Returns the name of a mapped type's member before `as` changed it. */
function getOriginalName(symbol: ts.Symbol | undefined): string | undefined {
  const { links } = (symbol ?? {}) as { links?: { keyType?: ts.Type } };
  return links?.keyType?.isStringLiteral() ? links.keyType.value : undefined;
}

/** Returns the element at an index. Positions after a rest element are unknown. */
function getElement(
  elements: readonly TupleElement[],
  index: string,
  resolver: TypeResolver,
): WrittenMember | undefined {
  if (!/^\d+$/.test(index)) return undefined;
  const position = Number(index);
  const rest = elements.findIndex(({ isRest }) => isRest);
  // All elements from the rest element on have its type, if it is the last one.
  if (rest !== -1 && position >= rest) {
    const { written: list } = elements[rest] ?? {};
    return list && rest === elements.length - 1 ? resolver.findIndexMember(list) : undefined;
  }
  const { written, declaration } = elements[position] ?? {};
  return { written: written && addDeclarations(written, declaration ? [declaration] : []) };
}

/**
 * Finds the member that represents all members of an index signature, or all elements of a list: `T[string]`, `T[number]`.
 *
 * @param declaration one of several index signatures; without it, there must be only one
 */
export function findIndexMember(
  owner: WrittenType,
  resolver: TypeResolver,
  declaration?: ts.IndexSignatureDeclaration,
): WrittenMember | undefined {
  const { structure, end } = resolver.resolve(owner);
  switch (structure.kind) {
    case "array":
      return { written: structure.element };
    case "tuple": {
      const types = structure.elements.flatMap(({ written, isRest }) => {
        if (!written || !isRest) return written ?? [];
        return findIndexMember(written, resolver)?.written ?? [];
      });
      return types.length === structure.elements.length ? { written: toUnion(end, types) } : undefined;
    }
    case "mapped": {
      const { node, bindings } = structure;
      const { constraint } = node.typeParameter;
      const key = constraint && resolver.resolveToAlias({ node: constraint, bindings });
      return {
        written: getTemplate(undefined, structure, end, resolver.checker),
        key,
        declaredBy: node.typeParameter,
      };
    }
    case "object":
      return findObjectIndexMember(structure, resolver, declaration);
    case "intersection":
      return findFirst(structure.types, (each) => findIndexMember(each, resolver, declaration));
    default:
      return undefined;
  }
}

function findObjectIndexMember(
  structure: ObjectStructure,
  resolver: TypeResolver,
  declared: ts.IndexSignatureDeclaration | undefined,
): WrittenMember | undefined {
  const { declarations, bindings } = structure;
  for (const declaration of declarations) {
    if (!isClassOrInterface(declaration) && !ts.isTypeLiteralNode(declaration)) continue;
    const members: readonly ts.Node[] = declaration.members;
    const all = members.filter((each) => ts.isIndexSignatureDeclaration(each));
    const signatures = declared && all.includes(declared) ? [declared] : all;
    const [only, ...others] = signatures;
    if (only && others.length === 0) {
      const [parameter] = only.parameters;
      return {
        written: { node: only.type, bindings },
        key: parameter?.type && { node: parameter.type, bindings },
        declaredBy: only,
      };
    }
    if (only) return undefined;
  }
  return findFirst(resolver.listBases(structure), (base) => findIndexMember(base, resolver, declared));
}

function findFirst<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

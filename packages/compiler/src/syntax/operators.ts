/**
 * Type operators: indexed access, `keyof`, `&`, `|`, and mapped types over lists.
 * @module
 */
import { unwrapTypeNode } from "../typescript/nodes.js";
import { ts } from "../typescript/typescript.js";
import { getAlternatives } from "./alternatives.js";
import { getTemplate } from "./members.js";
import { isClassOrInterface } from "./names.js";
import { getPropertyNames, getKeyofOperand } from "./property-names.js";
import {
  assemble,
  inheritDeclarations,
  type Step,
  type Structure,
  type TypeResolver,
  toUnion,
  type TypeExpressionOf,
  type WrittenType,
} from "./written-type.js";

/** Follows `Options["range"]`, `Pair[number]`, and `Book[keyof Book]` to the types of the members. */
export function followIndexedAccess(
  written: TypeExpressionOf<ts.IndexedAccessTypeNode>,
  resolver: TypeResolver,
): Step {
  const { node, bindings } = written;
  const owner: WrittenType = { node: node.objectType, bindings };
  const names = getPropertyNames({ node: node.indexType, bindings }, resolver);
  const members =
    names === "any"
      ? [resolver.findIndexMember(owner)]
      : names?.map((name) => resolver.findMember(owner, name) ?? findMemberOfAnyName(owner, resolver));
  const types = members?.flatMap((each) =>
    each?.written ? inheritDeclarations({ node, bindings }, each.written, each.declaredBy) : [],
  );
  if (!members || !types || types.length === 0 || types.length < members.length)
    return { kind: "unfollowed", node };
  return inheritDeclarations(written, toUnion({ node, bindings }, types));
}

/** Finds the member for a name that is not declared, as in `Record<string, Link>["home"]`. */
function findMemberOfAnyName(
  owner: WrittenType,
  resolver: TypeResolver,
): ReturnType<TypeResolver["findIndexMember"]> {
  const { kind } = resolver.resolve(owner).structure;
  return kind === "object" || kind === "intersection" ? resolver.findIndexMember(owner) : undefined;
}

/** Follows `readonly T[]` to the list, and `keyof Record<Code, Link>` to `Code`. */
export function followOperator(written: TypeExpressionOf<ts.TypeOperatorNode>, resolver: TypeResolver): Step {
  const { node, bindings } = written;
  if (node.operator === ts.SyntaxKind.ReadonlyKeyword) {
    const list = resolver.resolve({ node: node.type, bindings });
    if (list.structure.kind !== "array") return inheritDeclarations(written, { node: node.type, bindings });
    const declarations = [...(written.declarations ?? []), ...list.declarations];
    const assembled = assemble(written, { ...list.structure, isReadonly: true }, declarations);
    return { ...assembled, type: resolver.getType(written) };
  }
  if (node.operator !== ts.SyntaxKind.KeyOfKeyword) return { kind: "leaf" };
  const operand: WrittenType = { node: node.type, bindings };
  const key = resolver.findIndexMember(operand)?.key;
  const { kind } = resolver.resolve(operand).structure;
  return key && (kind === "mapped" || kind === "object")
    ? inheritDeclarations(written, key)
    : { kind: "leaf" };
}

/** Follows a union. JSON lacks `undefined`, so `Count | undefined` is `Count`. */
export function followUnion({ node, bindings, declarations }: TypeExpressionOf<ts.UnionTypeNode>): Step {
  const present = node.types.filter((each) => each.kind !== ts.SyntaxKind.UndefinedKeyword);
  const types = present.map((each): WrittenType => ({ node: each, bindings }));
  const [only, ...others] = types;
  if (!only || others.length > 0) return { kind: "union", types };
  return inheritDeclarations({ node, bindings, ...(declarations && { declarations }) }, only);
}

/**
 * Follows an intersection. `T & {}`, the definition of `NonNullable<T>`, is `T` without `null`, and `(A | B) & C` is
 * `(A & C) | (B & C)`.
 */
export function followIntersection(
  written: TypeExpressionOf<ts.IntersectionTypeNode>,
  resolver: TypeResolver,
): Step {
  const { node, bindings } = written;
  const types = node.types.map((each): WrittenType => ({ node: each, bindings }));
  const parts = types.filter((each) => !isEmptyLiteral(resolver.resolveToAlias(each).node));
  const type = resolver.getType(written);
  const kept = type?.isIntersection() ? type.types : [];
  // The checker keeps `string & {}`, which lets editors complete the literals of `"a" | (string & {})`.
  if (types.some((each) => !parts.includes(each) && kept.some((member) => member === resolver.getType(each))))
    return { kind: "intersection", types };
  const [only, ...others] = parts;
  if (only && others.length === 0)
    return inheritDeclarations(written, parts.length < types.length ? withoutNull(only, resolver) : only);
  return distribute(written, parts, resolver) ?? { kind: "intersection", types: parts };
}

/** Maximum number of alternatives of an intersection of unions. */
const MAX_ALTERNATIVES = 100;

/** Returns the union that an intersection with unions is equal to. */
function distribute(
  at: WrittenType,
  parts: readonly WrittenType[],
  resolver: TypeResolver,
): WrittenType | undefined {
  const alternatives = parts.map((part) => getAlternatives(part, resolver));
  const count = alternatives.reduce((product, each) => product * each.length, 1);
  if (count === 1 || count > MAX_ALTERNATIVES) return undefined;
  const combinations = alternatives.reduce<WrittenType[][]>(
    (all, each) => all.flatMap((before) => each.map((next) => [...before, next])),
    [[]],
  );
  const { node, bindings } = at;
  const possible = combinations.filter((each) => mayHaveValues(each, resolver));
  const types = possible.map((each) => assemble({ node, bindings }, { kind: "intersection", types: each }));
  return types.length === 0 ? undefined : inheritDeclarations(at, toUnion({ node, bindings }, types));
}

/** Returns whether an intersection may have values, unlike `null & { id: string }` and `string & 1`. */
function mayHaveValues(types: readonly WrittenType[], resolver: TypeResolver): boolean {
  if (types.some((each) => isNull(resolver.resolveToAlias(each).node))) return false;
  const { checker } = resolver;
  const primitives = types.flatMap((each) => resolver.getType(each) ?? []).filter(isPrimitive);
  return primitives.every((one) =>
    primitives.every(
      (other) => checker.isTypeAssignableTo(one, other) || checker.isTypeAssignableTo(other, one),
    ),
  );
}

function isEmptyLiteral(node: ts.Node): boolean {
  return ts.isTypeLiteralNode(node) && node.members.length === 0;
}

function withoutNull(written: WrittenType, resolver: TypeResolver): WrittenType {
  const { structure, declarations, end } = resolver.resolve(written);
  if (structure.kind !== "union") return written;
  const types = structure.types.flatMap((each) => {
    const present = isNull(resolver.resolveToAlias(each).node) ? undefined : withoutNull(each, resolver);
    return present ?? [];
  });
  if (
    types.length === structure.types.length &&
    types.every((each, index) => each === structure.types[index])
  )
    return written;
  return inheritDeclarations(
    { ...end, declarations },
    toUnion({ node: end.node, bindings: end.bindings }, types),
  );
}

/** Returns whether a type is written as `null`. */
export function isNull(node: ts.Node): boolean {
  return ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
}

/** Follows `{ [K in keyof T]: … }`, which maps the elements of a list and the alternatives of a union, and keeps a primitive. */
export function followMapped(written: TypeExpressionOf<ts.MappedTypeNode>, resolver: TypeResolver): Step {
  const { node, bindings } = written;
  const mapped: Structure = { kind: "mapped", node, bindings };
  const operand = node.typeParameter.constraint && unwrapTypeNode(node.typeParameter.constraint);
  const source = operand && getKeyofOperand({ node: operand, bindings });
  const parameter = source && findBoundParameter(source, resolver.checker);
  if (!source || !parameter) return mapped;
  const { structure, end, declarations } = resolver.resolve(source);
  if (isPrimitive(resolver.getType(end))) return inheritDeclarations(written, source);
  if (node.nameType && structure.kind !== "union") return mapped;
  const at: WrittenType = { node, bindings };
  const getValue = (name: string | undefined, bound = bindings): WrittenType | undefined =>
    getTemplate(name, { node, bindings: bound }, at, resolver.checker);
  switch (structure.kind) {
    case "array": {
      const element = getValue(undefined);
      if (!element) return mapped;
      // Tags of the list still hold if the elements are the same.
      return keepsTypes(node)
        ? assemble(written, { ...structure, element }, [...(written.declarations ?? []), ...declarations])
        : { ...structure, element };
    }
    case "tuple": {
      const rest = structure.elements.findIndex(({ isRest }) => isRest);
      const toList = (element: WrittenType): WrittenType =>
        assemble(at, { kind: "array", element, isReadonly: false });
      const elements = structure.elements.map((each, index) => {
        if (rest === -1 || index < rest) return { ...each, written: getValue(String(index)) };
        // The index is unknown, so the checker maps a list of these elements.
        const list = each.written && !each.isRest ? toList(each.written) : each.written;
        const value = list && getValue(undefined, new Map([...bindings, [parameter, list]]));
        return { ...each, written: value && each.isRest ? toList(value) : value };
      });
      return { kind: "tuple", elements };
    }
    case "union":
      return {
        kind: "union",
        types: structure.types.map((each) => ({ node, bindings: new Map([...bindings, [parameter, each]]) })),
      };
    default: {
      if (!keepsTypes(node) || node.questionToken) return mapped;
      const own = structure.kind === "object" ? structure.declarations.filter(isClassOrInterface) : [];
      return assemble(written, mapped, [...(written.declarations ?? []), ...declarations, ...own]);
    }
  }
}

/** Returns whether a mapped type has the form `{ [K in keyof T]: T[K] }`, as that of `Readonly<T>`: members keep their types. */
function keepsTypes({ type, typeParameter: { name, constraint } }: ts.MappedTypeNode): boolean {
  return (
    type !== undefined &&
    ts.isIndexedAccessTypeNode(type) &&
    type.indexType.getText() === name.text &&
    constraint?.getText() === `keyof ${type.objectType.getText()}`
  );
}

function findBoundParameter({ node, bindings }: WrittenType, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined;
  return symbol && bindings.has(symbol) ? symbol : undefined;
}

/** Returns whether all values of a type are strings, numbers, booleans, or `null`. */
export function isPrimitive(type: ts.Type | undefined): boolean {
  const flags =
    ts.TypeFlags.StringLike |
    ts.TypeFlags.NumberLike |
    ts.TypeFlags.BigIntLike |
    ts.TypeFlags.BooleanLike |
    ts.TypeFlags.Null;
  return type !== undefined && (type.isUnion() ? type.types.every(isPrimitive) : (type.flags & flags) !== 0);
}

/**
 * What is written for the parts of a type, and for what the library's type functions give: of `Parameters<typeof add>[0]`,
 * the type of the first parameter. Whatever would have to be worked out, the checker alone knows.
 * @module
 */
import { isLibraryNode } from "./nodes.js";
import { ts } from "./typescript.js";

/** A type as its author wrote it: the checker makes one type of `"day" | Range` and `string`. */
export interface WrittenType {
  readonly node: ts.TypeNode;
  /** What the type parameters in the node stand for where it is used. */
  readonly bindings: TypeBindings;
  /** Of what stands for the parameter of a mapped type: the name of the member that is made. */
  readonly memberName?: string;
}

/** What stands for type parameters, by their symbols. */
export type TypeBindings = ReadonlyMap<ts.Symbol, WrittenType>;

export const NO_BINDINGS: TypeBindings = new Map();

/** How to follow what is written. */
export interface WrittenReader {
  readonly checker: ts.TypeChecker;
  /** What stands for it: for a type parameter, and for a part of another type. */
  settled(written: WrittenType): WrittenType;
  /** What is behind the aliases of a type. */
  behind(written: WrittenType): WrittenType;
  /** What type parameters stand for inside of an object. */
  inside(object: WrittenType, type: ts.Type): TypeBindings;
}

type Give = (given: WrittenType, reader: WrittenReader) => WrittenType | undefined;

/** What is written for what a library alias gives, where it is written at all. */
const GIVEN: Readonly<Record<string, Give>> = {
  NoInfer: (given) => given,
  Awaited: awaited,
  ReturnType: (given, reader) => {
    const found = signatureOf(given, reader);
    return typeOf(found?.signature, found?.bindings);
  },
};

/** What is written for `Awaited<…>` and its like; undefined for all other types. */
export function givenBy({ node, bindings }: WrittenType, reader: WrittenReader): WrittenType | undefined {
  const name = libraryNameOf(node, reader.checker, GIVEN);
  if (name === undefined || isInItself(node, reader.checker)) return undefined;
  const [first] = (node as ts.TypeReferenceNode).typeArguments ?? [];
  return first && GIVEN[name]?.({ node: first, bindings }, reader);
}

/** `type Loop = Awaited<Loop>` is a mistake, of which the checker makes no type. */
export function isInItself(node: ts.TypeNode, checker: ts.TypeChecker): boolean {
  return (checker.getTypeFromTypeNode(node) as { intrinsicName?: string }).intrinsicName === "error";
}

function awaited(given: WrittenType, reader: WrittenReader): WrittenType | undefined {
  const { node, bindings } = reader.behind(given);
  const [value] = ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
  if (value && libraryNameOf(node, reader.checker, PROMISES))
    return awaited({ node: value, bindings }, reader);
  const type = reader.checker.getTypeFromTypeNode(node);
  const isOpen = (type.flags & ts.TypeFlags.Instantiable) !== 0;
  return isOpen || type.isUnion() || type.getProperty("then") ? undefined : given;
}

/**
 * What is written for `Options["range"]`, for `[Day, Count][1]` and for `Count[][number]`.
 *
 * @param index what stands between the brackets
 * @param passed takes up the declaration of a member
 */
export function partOf(
  { node, bindings }: WrittenType,
  index: WrittenType | undefined,
  reader: WrittenReader,
  passed?: ts.Declaration[],
): WrittenType | undefined {
  const { checker } = reader;
  if (!index || !ts.isIndexedAccessTypeNode(node) || isInItself(node, checker)) return undefined;
  const literal = ts.isLiteralTypeNode(index.node) ? index.node.literal : undefined;
  const ownName = literal && ts.isLiteralExpression(literal) ? literal.text : undefined;
  const name = index.memberName ?? ownName;
  const isAny = [ts.SyntaxKind.NumberKeyword, ts.SyntaxKind.StringKeyword].includes(index.node.kind);
  if (name === undefined && !isAny) return undefined;
  const object = reader.behind({ node: node.objectType, bindings });
  const owner = checker.getTypeFromTypeNode(object.node);
  const [declaration] = (name !== undefined && owner.getProperty(name)?.declarations) || [];
  if (!declaration) return partAt(object, name, reader);
  const isProperty = ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration);
  if (!isProperty || !declaration.type) return undefined;
  // A member that a mapped type makes has the comment of this one already.
  if (index.memberName === undefined) passed?.push(declaration);
  return { node: declaration.type, bindings: reader.inside(object, owner) };
}

/**
 * What is written for a part of a type: of `[Day, Count]`, the element `"1"`; of `Record<string, Count>`, any name.
 *
 * @param object what is behind its aliases, which declares no member of that name
 * @param index undefined for all of them: `Count[][number]`
 */
function partAt(
  { node, bindings }: WrittenType,
  index: string | undefined,
  reader: WrittenReader,
): WrittenType | undefined {
  if (ts.isArrayTypeNode(node)) return { node: node.elementType, bindings };
  if (ts.isTupleTypeNode(node)) {
    const element = elementAt(node.elements, index, isRest);
    return element && { node: element, bindings };
  }
  if (ts.isTypeLiteralNode(node)) {
    const [only, ...others] = node.members.filter((each) => ts.isIndexSignatureDeclaration(each));
    return only && others.length === 0 ? { node: only.type, bindings } : undefined;
  }
  const name = libraryNameOf(node, reader.checker, HOLDERS);
  const [first, second] = (node as Partial<ts.TypeReferenceNode>).typeArguments ?? [];
  if (name === undefined || !first) return undefined;
  if (name === "Record") return second && { node: second, bindings };
  if (name.endsWith("Array")) return { node: first, bindings };
  if (!name.endsWith("Parameters")) return partAt(reader.behind({ node: first, bindings }), index, reader);
  const found = signatureOf({ node: first, bindings }, reader);
  const isOpen = (each: ts.ParameterDeclaration): boolean => each.dotDotDotToken !== undefined;
  return found && typeOf(elementAt(found.signature.parameters, index, isOpen), found.bindings);
}

/** What `NonNullable`, `Exclude` and `Extract` take away; undefined for all other library aliases. */
export function leavingOut(
  name: string,
  second: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ((node: ts.TypeNode) => boolean) | undefined {
  if (name === "NonNullable") return isNullish;
  if (!second || (name !== "Exclude" && name !== "Extract")) return undefined;
  return (node) => {
    const type = checker.getTypeFromTypeNode(node);
    const isAmong = checker.isTypeAssignableTo(type, checker.getTypeFromTypeNode(second));
    return !(type.flags & ts.TypeFlags.Instantiable) && isAmong === (name === "Exclude");
  };
}

export function isUndefined({ kind }: ts.TypeNode): boolean {
  return kind === ts.SyntaxKind.UndefinedKeyword;
}

/** `null` and `undefined`, as they are written. */
export function isNullish(node: ts.TypeNode): boolean {
  return isUndefined(node) || (ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword);
}

/** True for `Readonly<Count[]>` and its like; the members of an object are looked for where they are declared. */
export function isSameList(node: ts.TypeNode, name: string, checker: ts.TypeChecker): boolean {
  return (
    ["Readonly", "Required", "Partial"].includes(name) &&
    checker.isArrayLikeType(checker.getTypeFromTypeNode(node))
  );
}

const PROMISES = { Promise: true, PromiseLike: true };

/** The library's types whose parts are written in their arguments. */
const HOLDERS = {
  Array: true,
  ReadonlyArray: true,
  Record: true,
  Readonly: true,
  Required: true,
  Partial: true,
  Parameters: true,
  ConstructorParameters: true,
};

/** Its name, if it is the library's, and among some. */
function libraryNameOf(
  node: ts.TypeNode,
  checker: ts.TypeChecker,
  names: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!ts.isTypeReferenceNode(node) || !ts.isIdentifier(node.typeName)) return undefined;
  const { text } = node.typeName;
  if (!Object.hasOwn(names, text)) return undefined;
  const declarations = checker.getSymbolAtLocation(node.typeName)?.declarations ?? [];
  return declarations.some((each) => isLibraryNode(each)) ? text : undefined;
}

function isRest(element: ts.TypeNode): boolean {
  return (
    ts.isRestTypeNode(element) || (ts.isNamedTupleMember(element) && element.dotDotDotToken !== undefined)
  );
}

/** An element whose position is known: none is that stands behind one of any number. */
function elementAt<Element>(
  elements: readonly Element[],
  index: string | undefined,
  isAnyNumber: (element: Element) => boolean,
): Element | undefined {
  if (index === undefined && elements.length > 1) return undefined;
  const place = Number(index ?? 0);
  return elements.slice(0, place + 1).some(isAnyNumber) ? undefined : elements[place];
}

interface WrittenSignature {
  readonly signature: ts.SignatureDeclaration;
  readonly bindings: TypeBindings;
}

/** The one signature of a function, as it is written; none of a generic one, of which each call knows the types. */
function signatureOf(written: WrittenType, reader: WrittenReader): WrittenSignature | undefined {
  const { node, bindings } = reader.behind(written);
  if (ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node)) return plain(node, bindings);
  const declaration = ts.isTypeQueryNode(node)
    ? onlyDeclaration(symbolOf(node.exprName, reader.checker))
    : methodAt(node, bindings, reader);
  if (!declaration) return undefined;
  if (ts.isFunctionLike(declaration)) return plain(declaration, NO_BINDINGS);
  if (ts.isClassLike(declaration)) {
    const [only, ...others] = declaration.members.filter((each) => ts.isConstructorDeclaration(each));
    return only && others.length === 0 && !declaration.typeParameters ? plain(only, NO_BINDINGS) : undefined;
  }
  if (!ts.isVariableDeclaration(declaration)) return undefined;
  const { type, initializer } = declaration;
  if (type) return signatureOf({ node: type, bindings: NO_BINDINGS }, reader);
  return initializer && ts.isFunctionLike(initializer) ? plain(initializer, NO_BINDINGS) : undefined;
}

function plain(signature: ts.SignatureDeclaration, bindings: TypeBindings): WrittenSignature | undefined {
  return signature.typeParameters ? undefined : { signature, bindings };
}

/** Of `Api["get"]`, the method. */
function methodAt(
  node: ts.TypeNode,
  bindings: TypeBindings,
  { checker, behind }: WrittenReader,
): ts.Declaration | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isLiteralTypeNode(node.indexType)) return undefined;
  const { literal } = node.indexType;
  if (!ts.isStringLiteral(literal)) return undefined;
  const owner = checker.getTypeFromTypeNode(behind({ node: node.objectType, bindings }).node);
  const method = onlyDeclaration(owner.getProperty(literal.text));
  const isGeneric =
    (method?.parent as { typeParameters?: unknown } | undefined)?.typeParameters !== undefined;
  return isGeneric ? undefined : method;
}

function onlyDeclaration(symbol: ts.Symbol | undefined): ts.Declaration | undefined {
  const [only, ...others] = symbol?.declarations ?? [];
  return others.length === 0 ? only : undefined;
}

/** What a name means, wherever it is imported from. */
export function symbolOf(name: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** What is written after the colon. */
function typeOf(
  declaration: ts.SignatureDeclaration | ts.ParameterDeclaration | undefined,
  bindings: TypeBindings = NO_BINDINGS,
): WrittenType | undefined {
  const node = declaration?.type;
  return node && ts.isTypeNode(node) && !ts.isTypePredicateNode(node) ? { node, bindings } : undefined;
}

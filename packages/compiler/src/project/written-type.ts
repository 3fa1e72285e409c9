import { aliasOf, bareTypeNode, isLibraryNode } from "./nodes.js";
import { ts } from "./typescript.js";

/** A type as its author wrote it: the checker makes one type of `"day" | Range` and `string`. */
export interface WrittenType {
  readonly node: ts.TypeNode;
  /** What the type parameters in the node stand for where it is used. */
  readonly bindings: TypeBindings;
}

/** What stands for type parameters, by their symbols. */
export type TypeBindings = ReadonlyMap<ts.Symbol, WrittenType>;

export const NO_BINDINGS: TypeBindings = new Map();

/** Far more than anybody writes; a wrong program may go round in circles. */
const MOST_STEPS = 20;

/**
 * The node without parentheses and `readonly`; in place of a type parameter, what stands for it, and in place of
 * `Options["range"]`, what that member is declared as.
 */
export function settled(written: WrittenType, checker: ts.TypeChecker): WrittenType {
  let { node, bindings } = written;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    node = bareTypeNode(node);
    const next = boundTo(node, bindings, checker) ?? memberAt(node, bindings, checker);
    if (!next) break;
    ({ node, bindings } = next);
  }
  return node === written.node ? written : { node, bindings };
}

function memberAt(
  node: ts.TypeNode,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): WrittenType | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isLiteralTypeNode(node.indexType)) return undefined;
  const { literal } = node.indexType;
  const owner = checker.getTypeFromTypeNode(node.objectType);
  const symbol = ts.isStringLiteral(literal) ? owner.getProperty(literal.text) : undefined;
  const [declaration] = symbol?.declarations ?? [];
  const type = declaration && ts.isPropertySignature(declaration) ? declaration.type : undefined;
  if (!type) return undefined;
  const object = settled({ node: node.objectType, bindings }, checker);
  return { node: type, bindings: bindingsInside(object.node, object.bindings, owner, checker) };
}

function boundTo(
  node: ts.TypeNode,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): WrittenType | undefined {
  if (bindings.size === 0 || !ts.isTypeReferenceNode(node) || node.typeArguments) return undefined;
  const symbol = checker.getSymbolAtLocation(node.typeName);
  return symbol && bindings.get(symbol);
}

/** What an alias is declared as, with its type arguments bound; undefined for whatever is no alias of an author's. */
export function aliasTarget(written: WrittenType, checker: ts.TypeChecker): WrittenType | undefined {
  const { node, bindings } = settled(written, checker);
  const declaration = aliasOf(node, checker)?.declaration;
  if (!declaration || !ts.isTypeReferenceNode(node)) return undefined;
  if (isLibraryNode(declaration)) {
    // What it takes away is gone from the type, too.
    const [only] = declaration.name.text === "NonNullable" ? (node.typeArguments ?? []) : [];
    return only && settled({ node: only, bindings }, checker);
  }
  const inside = bound(declaration.typeParameters, node.typeArguments, bindings, checker);
  return settled({ node: declaration.type, bindings: inside }, checker);
}

/** The type at the end of a chain of aliases. */
export function behindAliases(written: WrittenType, checker: ts.TypeChecker): WrittenType {
  let last = settled(written, checker);
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const next = aliasTarget(last, checker);
    if (!next) break;
    last = next;
  }
  return last;
}

/**
 * The bindings inside of a type: its own type arguments, and those that it gives to what it extends.
 *
 * @param node the type as written, where it is known
 * @example
 * // of `Page<Link>`, where `interface Page<T> { items: T[] }`
 * bindingsInside(node, bindings, type, checker) // T stands for `Link`
 */
export function bindingsInside(
  node: ts.TypeNode | undefined,
  bindings: TypeBindings,
  type: ts.Type,
  checker: ts.TypeChecker,
): TypeBindings {
  const found = new Map<ts.Symbol, WrittenType>();
  const isGeneric = type.aliasTypeArguments !== undefined || isReference(type);
  if (node && isGeneric) bindReference({ node, bindings }, checker, found);
  for (const declaration of type.symbol?.declarations ?? [])
    bindHeritage(declaration, withAll(bindings, found), checker, found, 0);
  return withAll(bindings, found);
}

function isReference(type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
  );
}

/** The bindings that a class or interface gives to what it extends or implements. */
export function inheritedBindings(declaration: ts.Node, checker: ts.TypeChecker): TypeBindings {
  const found = new Map<ts.Symbol, WrittenType>();
  bindHeritage(declaration, NO_BINDINGS, checker, found, 0);
  return found;
}

function withAll(bindings: TypeBindings, more: TypeBindings): TypeBindings {
  return more.size === 0 ? bindings : new Map([...bindings, ...more]);
}

function bindReference(
  { node, bindings }: WrittenType,
  checker: ts.TypeChecker,
  found: Map<ts.Symbol, WrittenType>,
): void {
  if (!ts.isTypeReferenceNode(node)) return;
  const { typeArguments = [] } = node;
  const [first] = typeArguments;
  const declaration = declarationOf(node.typeName, checker);
  if (!declaration) return;
  if (!isLibraryNode(declaration)) {
    const inside = bound(declaration.typeParameters, typeArguments, bindings, checker);
    for (const [symbol, each] of inside) found.set(symbol, each);
    bindHeritage(declaration, inside, checker, found, 0);
  } else if (first) {
    // The members of `Partial<Page<Link>>` are those of `Page<Link>`.
    bindReference(settled({ node: first, bindings }, checker), checker, found);
  }
}

function bindHeritage(
  declaration: ts.Node,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
  found: Map<ts.Symbol, WrittenType>,
  depth: number,
): void {
  if (depth > MOST_STEPS || !(ts.isClassLike(declaration) || ts.isInterfaceDeclaration(declaration))) return;
  for (const { expression, typeArguments } of (declaration.heritageClauses ?? []).flatMap(
    ({ types }) => types,
  )) {
    const base = declarationOf(expression, checker);
    if (!base || isLibraryNode(base)) continue;
    const inside = bound(base.typeParameters, typeArguments, bindings, checker);
    for (const [symbol, each] of inside) found.set(symbol, each);
    bindHeritage(base, inside, checker, found, depth + 1);
  }
}

type Generic = ts.TypeAliasDeclaration | ts.InterfaceDeclaration | ts.ClassLikeDeclaration;

function declarationOf(name: ts.Node, checker: ts.TypeChecker): Generic | undefined {
  let symbol = checker.getSymbolAtLocation(name);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return symbol?.declarations?.find(
    (each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each) || ts.isClassLike(each),
  );
}

/** `bindings` with those of a declaration's type parameters, where arguments or defaults are given for them. */
function bound(
  parameters: readonly ts.TypeParameterDeclaration[] | undefined,
  given: readonly ts.TypeNode[] | undefined,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): TypeBindings {
  if (!parameters) return bindings;
  const inside = new Map(bindings);
  for (const [index, parameter] of parameters.entries()) {
    const symbol = checker.getSymbolAtLocation(parameter.name);
    const argument = given?.[index];
    if (!symbol) continue;
    if (argument) inside.set(symbol, { node: argument, bindings });
    else if (parameter.default) inside.set(symbol, { node: parameter.default, bindings: new Map(inside) });
  }
  return inside;
}

/**
 * The alternatives of a union as they are written, through the aliases that name unions; the type alone where it is
 * none.
 *
 * @param isWhole whether an alias stays one alternative, whatever it stands for
 */
export function writtenAlternatives(
  written: WrittenType,
  checker: ts.TypeChecker,
  isWhole: (alias: ts.TypeAliasDeclaration) => boolean = () => false,
  steps = 0,
): WrittenType[] {
  const own = settled(written, checker);
  const { node, bindings } = own;
  if (ts.isUnionTypeNode(node)) {
    return node.types.flatMap((each) =>
      writtenAlternatives({ node: each, bindings }, checker, isWhole, steps + 1),
    );
  }
  const alias = steps < MOST_STEPS ? aliasOf(node, checker)?.declaration : undefined;
  if (!alias || isWhole(alias)) return [own];
  const target = aliasTarget(own, checker);
  if (!target) return [own];
  const inside = writtenAlternatives(target, checker, isWhole, steps + 1);
  // What is no union keeps its name, and the comment that goes with it.
  return ts.isUnionTypeNode(behindAliases(target, checker).node) ? inside : [own];
}

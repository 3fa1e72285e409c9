import { aliasOf, bareTypeNode, isLibraryNode } from "./nodes.js";
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

/** Far more than anybody writes; a wrong program may go round in circles. */
const MOST_STEPS = 20;

/**
 * The node without parentheses and `readonly`; in place of a type parameter, what stands for it, and in place of
 * `Options["range"]`, what that member is declared as.
 *
 * @param passed takes up the declarations of such members
 */
export function settled(
  written: WrittenType,
  checker: ts.TypeChecker,
  passed?: ts.Declaration[],
): WrittenType {
  let { node, bindings } = written;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    node = bareTypeNode(node);
    const next = boundTo(node, bindings, checker) ?? memberAt(node, bindings, checker, passed);
    if (!next) break;
    ({ node, bindings } = next);
  }
  return node === written.node ? written : { node, bindings };
}

function memberAt(
  node: ts.TypeNode,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
  passed?: ts.Declaration[],
): WrittenType | undefined {
  if (!ts.isIndexedAccessTypeNode(node)) return undefined;
  const { indexType, objectType } = node;
  const literal = ts.isLiteralTypeNode(indexType) ? indexType.literal : undefined;
  const ownName = literal && ts.isStringLiteral(literal) ? literal.text : undefined;
  const name = ownName ?? bindingOf(indexType, bindings, checker)?.memberName;
  if (name === undefined) return undefined;
  const object = behindAliases({ node: objectType, bindings }, checker);
  const owner = checker.getTypeFromTypeNode(object.node);
  const [declaration] = owner.getProperty(name)?.declarations ?? [];
  if (!declaration || !(ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)))
    return undefined;
  const { type } = declaration;
  if (!type) return undefined;
  // A member that a mapped type makes has the comment of this one already.
  if (ownName !== undefined) passed?.push(declaration);
  return { node: type, bindings: bindingsInside(object.node, object.bindings, owner, checker) };
}

function boundTo(
  node: ts.TypeNode,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): WrittenType | undefined {
  const binding = bindingOf(node, bindings, checker);
  return binding?.memberName === undefined ? binding : undefined;
}

function bindingOf(
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
  const target = aliasBody(written, checker);
  return target && settled(target, checker);
}

/**
 * The same, to the letter.
 *
 * @param passed takes up the declarations of members, as those of `settled`
 */
export function aliasBody(
  written: WrittenType,
  checker: ts.TypeChecker,
  passed?: ts.Declaration[],
): WrittenType | undefined {
  const { node, bindings } = settled(written, checker);
  const declaration = aliasOf(node, checker)?.declaration;
  if (!declaration || !ts.isTypeReferenceNode(node)) return undefined;
  if (isLibraryNode(declaration)) {
    // What it takes away is gone from the type, too.
    const [only] = declaration.name.text === "NonNullable" ? (node.typeArguments ?? []) : [];
    return only && onlyAlternative({ node: only, bindings }, isNullish, checker, passed);
  }
  const inside = bound(declaration.typeParameters, node.typeArguments, bindings, checker);
  return { node: declaration.type, bindings: inside };
}

/** The type at the end of a chain of aliases, without the `undefined` that is added to it on the way. */
export function behindAliases(written: WrittenType, checker: ts.TypeChecker): WrittenType {
  let last = withoutUndefined(written, checker);
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const next = aliasTarget(last, checker);
    if (!next) break;
    last = withoutUndefined(next, checker);
  }
  return last;
}

/** `Unit` of `Unit | undefined`: JSON has no `undefined`, so that is one type wherever there is a value. */
export function withoutUndefined(
  written: WrittenType,
  checker: ts.TypeChecker,
  passed?: ts.Declaration[],
): WrittenType {
  return onlyAlternative(written, isUndefined, checker, passed);
}

/** The one alternative that is left without some; the whole, settled, where none or several are. */
function onlyAlternative(
  written: WrittenType,
  isLeftOut: (node: ts.TypeNode) => boolean,
  checker: ts.TypeChecker,
  passed?: ts.Declaration[],
): WrittenType {
  let own = settled(written, checker, passed);
  for (let steps = 0; steps < MOST_STEPS && ts.isUnionTypeNode(own.node); steps++) {
    const [only, ...others] = own.node.types.filter((each) => !isLeftOut(each));
    if (!only || others.length > 0) break;
    own = settled({ node: only, bindings: own.bindings }, checker, passed);
  }
  return own;
}

function isUndefined({ kind }: ts.TypeNode): boolean {
  return kind === ts.SyntaxKind.UndefinedKeyword;
}

/** `null` and `undefined`, as they are written. */
export function isNullish(node: ts.TypeNode): boolean {
  return isUndefined(node) || (ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword);
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
  if (node) bindReference({ node, bindings }, checker, found, 0);
  for (const declaration of type.symbol?.declarations ?? [])
    bindHeritage(declaration, withAll(bindings, found), checker, found, 0);
  return withAll(bindings, found);
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
  depth: number,
): void {
  if (depth > MOST_STEPS || !ts.isTypeReferenceNode(node)) return;
  const { typeArguments = [] } = node;
  const [first] = typeArguments;
  const declaration = declarationOf(node.typeName, checker);
  if (!declaration) return;
  if (!isLibraryNode(declaration)) {
    const inside = bound(declaration.typeParameters, typeArguments, bindings, checker);
    for (const [symbol, each] of inside) found.set(symbol, each);
    bindHeritage(declaration, inside, checker, found, depth);
    // The members of `Links` are those of `Page<Link>`, where `type Links = Page<Link>`.
    if (ts.isTypeAliasDeclaration(declaration)) {
      bindReference(
        withoutUndefined({ node: declaration.type, bindings: inside }, checker),
        checker,
        found,
        depth + 1,
      );
    }
  } else if (first) {
    // The members of `Partial<Page<Link>>` are those of `Page<Link>`.
    bindReference(settled({ node: first, bindings }, checker), checker, found, depth + 1);
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
    if (!base) continue;
    if (isLibraryNode(base)) {
      const [first] = typeArguments ?? [];
      if (first)
        bindReference(withoutUndefined({ node: first, bindings }, checker), checker, found, depth + 1);
      continue;
    }
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

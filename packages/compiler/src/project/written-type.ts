import { bound, genericDeclaration } from "./generic-declarations.js";
import { aliasOf, bareTypeNode, isLibraryNode } from "./nodes.js";
import { ts } from "./typescript.js";
import { chosenBranch } from "./written-conditions.js";
import {
  givenBy,
  isInItself,
  isSameList,
  isNullish,
  isUndefined,
  leavingOut,
  NO_BINDINGS,
  partOf,
  type TypeBindings,
  type WrittenReader,
  type WrittenType,
} from "./written-parts.js";

export { isNullish, NO_BINDINGS, type TypeBindings, type WrittenType };

/** Far more than anybody writes; a wrong program may go round in circles. */
const MOST_STEPS = 20;

/**
 * The node without parentheses and `readonly`; in place of a type parameter, what stands for it, in place of
 * `Options["range"]`, what that member is declared as, and in place of `ReturnType<typeof range>`, what is written there.
 *
 * @param passed takes up the declarations of such members
 */
export function settled(
  written: WrittenType,
  checker: ts.TypeChecker,
  passed?: ts.Declaration[],
): WrittenType {
  let { node, bindings } = written;
  const reader: WrittenReader = {
    checker,
    settled: (inner) => settled(inner, checker),
    behind: (inner) => behindAliases(inner, checker),
    inside: (object, type) => bindingsInside(object.node, object.bindings, type, checker),
  };
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    node = bareTypeNode(node);
    const next =
      boundTo(node, bindings, checker) ??
      partOf({ node, bindings }, indexIn(node, bindings, checker), reader, passed) ??
      givenBy({ node, bindings }, reader) ??
      chosenBranch({ node, bindings }, reader);
    if (!next) break;
    ({ node, bindings } = next);
  }
  return node === written.node ? written : { node, bindings };
}

/** What stands between the brackets of `Options[K]`. */
function indexIn(
  node: ts.TypeNode,
  bindings: TypeBindings,
  checker: ts.TypeChecker,
): WrittenType | undefined {
  if (!ts.isIndexedAccessTypeNode(node)) return undefined;
  const index = settled({ node: node.indexType, bindings }, checker);
  return bindingOf(index.node, index.bindings, checker) ?? index;
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
    const [first, second] = node.typeArguments ?? [];
    if (!first || isInItself(node, checker)) return undefined;
    const given = { node: first, bindings };
    const isLeftOut = leavingOut(declaration.name.text, second, checker);
    if (isLeftOut) return remaining(given, isLeftOut, checker, passed);
    return isSameList(node, declaration.name.text, checker) ? given : undefined;
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

/** The one alternative that is left, through aliases; a union where several are: what is taken away is gone from the type. */
function remaining(
  written: WrittenType,
  isLeftOut: (node: ts.TypeNode) => boolean,
  checker: ts.TypeChecker,
  passed?: ts.Declaration[],
): WrittenType {
  let own = onlyAlternative(written, isLeftOut, checker, passed);
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const alternatives = writtenAlternatives(own, checker);
    const left = alternatives.filter(({ node }) => !isLeftOut(node));
    const alias = aliasOf(own.node, checker)?.declaration;
    const next = alternatives.length > 1 && left.length === 1 ? aliasBody(own, checker, passed) : undefined;
    if (!alias || !next) break;
    passed?.push(alias);
    own = onlyAlternative(next, isLeftOut, checker, passed);
  }
  return own;
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
  const declaration = genericDeclaration(node.typeName, checker);
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
    const base = genericDeclaration(expression, checker);
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

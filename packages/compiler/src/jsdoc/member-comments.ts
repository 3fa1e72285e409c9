import { ts } from "../project/typescript.js";
import type { DocComment, DocTag } from "./doc-comment.js";
import type { CommentCache } from "./comment-cache.js";
import { aliasOf, isLibraryNode, isPackageFile } from "../project/nodes.js";
import { withSummary } from "./package-comments.js";
import {
  aliasBody,
  behindAliases,
  isNullish,
  NO_BINDINGS,
  settled,
  withoutUndefined,
  type WrittenType,
} from "../project/written-type.js";

/**
 * The comment of a member: its own, completed from the members it overrides or implements. A member that
 * several declarations make together (interface merging, intersections) has the first text and all tags.
 */
export function memberComment(symbol: ts.Symbol, comments: CommentCache): DocComment | undefined {
  const found: DocComment[] = [];
  for (const declaration of symbol.declarations ?? []) addDeclarationComments(declaration, comments, found);
  for (const { parent } of symbol.declarations ?? []) {
    if (isClassOrInterface(parent) && parent.heritageClauses)
      found.push(...inheritedComments(parent, symbol.name, comments));
  }
  return merge(found);
}

function addDeclarationComments(declaration: ts.Node, comments: CommentCache, found: DocComment[]): void {
  const comment = comments.commentOf(declaration);
  if (comment && !isLibraryNode(declaration)) found.push(comment);
  if (!ts.isParameter(declaration)) return;
  // A constructor property may be described by the constructor's `@param` as well.
  const documented = parameterComment(
    comments.commentOf(declaration.parent),
    (written) => written === declaration.name.getText(),
  );
  if (documented) found.push(documented);
}

function isClassOrInterface(
  node: ts.Node | undefined,
): node is ts.ClassLikeDeclaration | ts.InterfaceDeclaration {
  return node !== undefined && (ts.isClassLike(node) || ts.isInterfaceDeclaration(node));
}

function inheritedComments(
  owner: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
  name: string,
  comments: CommentCache,
): DocComment[] {
  const bases = (owner.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
  return bases.flatMap((base) => {
    const symbol = comments.checker.getTypeAtLocation(base).getProperty(name);
    // An override without declarations of its own would find itself again.
    if (!symbol || symbol.declarations?.some((declaration) => declaration.parent === owner)) return [];
    return memberComment(symbol, comments) ?? [];
  });
}

/** The first text there is, and of each tag (for `@param`, of each parameter) the first declaration's. */
function merge(comments: readonly DocComment[]): DocComment | undefined {
  const [first, ...others] = comments;
  if (!first || others.length === 0) return first;
  const tags = [...first.tags];
  for (const comment of others) {
    const known = new Set(tags.map((tag) => tagKey(tag)));
    tags.push(...comment.tags.filter((tag) => !known.has(tagKey(tag))));
  }
  const text = comments.find((comment) => comment.text)?.text ?? "";
  return { text, tags, unreadTags: comments.flatMap((comment) => comment.unreadTags) };
}

function tagKey(tag: DocTag): string {
  return tag.name === "param" ? `param ${readParameterTag(tag)?.name}` : tag.name;
}

/** What a function's comment says about one of its parameters: `@param city City name`. */
export function parameterComment(
  comment: DocComment | undefined,
  matches: (written: string) => boolean,
): DocComment | undefined {
  for (const tag of comment?.tags ?? []) {
    const documented = tag.name === "param" ? readParameterTag(tag) : undefined;
    if (documented && matches(documented.name))
      return { text: documented.text, tags: tag.tags, unreadTags: [] };
  }
  return undefined;
}

/** The comment of a method, with what the methods it overrides or implements say. */
export function methodComment(method: ts.Node, comments: CommentCache): DocComment | undefined {
  const name = ts.isMethodDeclaration(method) || ts.isPropertyDeclaration(method) ? method.name : undefined;
  const symbol = name && comments.checker.getSymbolAtLocation(name);
  return symbol ? memberComment(symbol, comments) : comments.commentOf(method);
}

/** `{string} [city=Oslo] - City name`, of which TypeScript already knows type and default. */
export function readParameterTag(tag: DocTag): { name: string; text: string } | undefined {
  const match =
    /^(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)?(?:\[\s*([\w$.[\]]+?)\s*(?:=[^\]]*)?\]|`?(?:\.\.\.)?([\w$.[\]]+)`?)/.exec(
      tag.text,
    );
  const name = match?.[1] ?? match?.[2];
  if (!match || name === undefined) return undefined;
  return {
    name,
    text: tag.text
      .slice(match[0].length)
      .replace(/^\s*(?:-|–|—|:)?[^\S\n]*\n?/, "")
      .trimEnd(),
  };
}

/**
 * The comments of a class, interface, enum or alias itself, which describe its values wherever it is used. The nearest
 * is last: of `type OrderId = Brand<bigint, "OrderId">`, what is said of an `OrderId`.
 */
export function ownComments(type: ts.Type, comments: CommentCache): readonly DocComment[] {
  const declarations = ownDeclarations(type, comments.checker);
  return declarations.length === 0 ? NONE : useComments(declarations, comments);
}

function ownDeclarations({ symbol, aliasSymbol }: ts.Type, checker: ts.TypeChecker): readonly ts.Node[] {
  const documented =
    ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.Enum | ts.SymbolFlags.EnumMember;
  const isDocumented = symbol !== undefined && (symbol.flags & documented) !== 0;
  const aliases = (aliasSymbol?.declarations ?? []).filter((each) => ts.isTypeAliasDeclaration(each));
  return [
    ...((isDocumented && symbol.declarations) || []),
    ...aliases.flatMap((each) => [
      ...namingDeclarations({ node: each.type, bindings: NO_BINDINGS }, checker),
      each,
    ]),
  ];
}

/**
 * The comments of the names an author wrote where the checker forgets them: aliases of primitives, of aliases,
 * and of unions and enums to which `?` added `undefined`.
 */
export function aliasComments(
  type: ts.Type,
  written: WrittenType | undefined,
  comments: CommentCache,
): readonly DocComment[] {
  const { checker } = comments;
  if (!written) return NONE;
  const named = namedWhenPresent(written, checker);
  const symbol = named && checker.getTypeFromTypeNode(named.node).symbol;
  const isEnum = symbol && symbol.flags & ts.SymbolFlags.Enum && symbol !== type.symbol;
  const declarations = [
    ...namingDeclarations(written, checker),
    ...((isEnum ? symbol.declarations : undefined) ?? []),
  ];
  // What the checker knows is among the type's own.
  const known = declarations.length > 0 ? ownDeclarations(type, checker) : declarations;
  const found = useComments(
    declarations.filter((each) => !known.includes(each)),
    comments,
  );
  const { node } = settled(written, checker);
  const inside = node === written.node ? undefined : commentBefore(node, comments);
  return [...found, inside ?? [], commentBefore(written.node, comments) ?? []].flat();
}

/** What is said right before a type, as before the `number` of `Map<string, number>`. */
function commentBefore(node: ts.TypeNode, comments: CommentCache): DocComment | undefined {
  if (node.getStart() - node.pos < "/** */".length) return undefined;
  // Of `/** … *\/ string[]`, it is about the array.
  if (ts.isTypeNode(node.parent) && node.parent.pos === node.pos) return undefined;
  const comment = comments.commentOf(node);
  return comment && isPackageFile(node.getSourceFile()) ? withSummary(comment) : comment;
}

/**
 * `Unit` as well as `Unit | null`, when `Unit` is a union: the checker makes one union of all members. Where it is
 * one type, that is derived for itself, with its comment.
 */
function namedWhenPresent(
  from: WrittenType,
  checker: ts.TypeChecker,
  passed?: ts.Declaration[],
): WrittenType | undefined {
  const written = withoutUndefined(from, checker, passed);
  const { node, bindings } = written;
  if (ts.isTypeReferenceNode(node)) return written;
  if (!ts.isUnionTypeNode(node)) return undefined;
  const [only, ...others] = node.types.filter((each) => !isNullish(each));
  if (!only || others.length > 0) return undefined;
  const named = settled({ node: only, bindings }, checker);
  if (!ts.isTypeReferenceNode(named.node)) return undefined;
  return ts.isUnionTypeNode(behindAliases(named, checker).node) ||
    checker.getTypeFromTypeNode(named.node).isUnion()
    ? named
    : undefined;
}

const NONE: readonly DocComment[] = [];

/** What declarations say of values of their types. */
function useComments(declarations: readonly ts.Node[], comments: CommentCache): DocComment[] {
  return declarations.flatMap((node) => {
    const comment = comments.commentOf(node);
    if (!comment || !describesValues(node)) return [];
    return isPackageFile(node.getSourceFile()) ? withSummary(comment) : comment;
  });
}

/** The aliases that are written for a type, and the members of which it is the type, innermost first. */
function namingDeclarations(written: WrittenType, checker: ts.TypeChecker): ts.Declaration[] {
  const found: ts.Declaration[] = [];
  let next: WrittenType | undefined = written;
  while (next && found.length < 20) {
    const named = namedWhenPresent(next, checker, found);
    const alias = named && aliasOf(named.node, checker);
    if (!alias) break;
    found.push(alias.declaration);
    next = aliasBody(named, checker, found);
  }
  return found.toReversed();
}

/** The comments of `Partial`, `Record` and a package's own type functions explain those, and not the value. */
function describesValues(node: ts.Node): boolean {
  if (isLibraryNode(node)) return false;
  const isForeign = isPackageFile(node.getSourceFile());
  return !(isForeign && ts.isTypeAliasDeclaration(node) && node.typeParameters);
}

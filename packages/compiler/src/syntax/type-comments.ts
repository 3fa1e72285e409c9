import { type CommentCache, withSummary } from "../jsdoc/comment-cache.js";
import type { DocComment } from "../jsdoc/doc-comment.js";
import { isLibraryNode, isPackageFile } from "../typescript/nodes.js";
import { ts } from "../typescript/typescript.js";
import { getParts } from "./alternatives.js";
import { isPlain } from "./expressions.js";
import { getMemberComment, getOwnerSecret, getParameterComment } from "./member-comments.js";
import { isNull } from "./operators.js";
import { MAX_STEPS, NO_BINDINGS, type TypeResolver, type WrittenType } from "./written-type.js";

/** The types of a program, and the comments of its declarations. */
export interface CommentSources {
  readonly types: TypeResolver;
  readonly comments: CommentCache;
}

const NONE: readonly DocComment[] = [];

/**
 * Returns the comments of a class, interface, enum, or alias itself, which describe its values wherever it is used. The
 * nearest to the value comes first.
 */
export function getOwnComments(type: ts.Type, sources: CommentSources): readonly DocComment[] {
  const declarations = getOwnDeclarations(type, sources.types);
  return declarations.length === 0 ? NONE : getComments(declarations, sources);
}

function getOwnDeclarations(type: ts.Type, resolver: TypeResolver): readonly ts.Declaration[] {
  const { symbol, aliasSymbol } = type;
  if (!symbol && !aliasSymbol) return [];
  const documented =
    ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.Enum | ts.SymbolFlags.EnumMember;
  const isDocumented = symbol !== undefined && (symbol.flags & documented) !== 0;
  const aliases = (aliasSymbol?.declarations ?? []).filter((each) => ts.isTypeAliasDeclaration(each));
  return [
    ...((isDocumented && symbol.declarations) || []),
    ...aliases.flatMap((each) => [
      ...findDeclarations({ node: each.type, bindings: NO_BINDINGS }, type, resolver).toReversed(),
      each,
    ]),
  ];
}

/**
 * Returns the comments of names that the author wrote and the checker drops: aliases of primitives, of aliases, and of
 * unions and enums to which `?` added `undefined`; and members whose type is used, as in `Order["id"]`.
 *
 * @param documented declarations whose comments have already been applied
 */
export function getWrittenComments(
  type: ts.Type,
  written: WrittenType | undefined,
  documented: readonly ts.Node[],
  sources: CommentSources,
): readonly DocComment[] {
  const { types, comments } = sources;
  if (!written) return NONE;
  if (isPlain(written.node) && !written.structure && !written.declarations) {
    const comment = findCommentBefore(written, comments);
    return comment ? [comment] : NONE;
  }
  const own = types.resolveToAlias(written);
  const named = findOnlyUnion(own, types) ?? own;
  const symbol = types.getType(named)?.symbol;
  const isEnum = symbol && symbol.flags & ts.SymbolFlags.Enum && symbol !== type.symbol;
  const declarations = [
    ...findDeclarations(own, type, types).toReversed(),
    ...((isEnum ? symbol.declarations : undefined) ?? []),
  ];
  // Declarations that the checker keeps are among the type's own.
  const known = declarations.length > 0 ? getOwnDeclarations(type, types) : declarations;
  const found = getComments(
    declarations.filter((each) => !known.includes(each) && !documented.includes(each)),
    sources,
  );
  return [...found, ...findCommentsBefore(written, sources)];
}

/**
 * Finds the comments before a type and before those that it leads to, such as `number` in `Promise</** … *\/ number>`. The nearest
 * to the value comes first.
 */
function findCommentsBefore(written: WrittenType, { types, comments }: CommentSources): DocComment[] {
  const found: DocComment[] = [];
  let own: WrittenType | undefined = written;
  for (let steps = 0; own && steps < MAX_STEPS; steps++, own = types.step(own)) {
    // The comment inside a declaration belongs to it.
    const comment = ts.isTypeAliasDeclaration(own.node.parent) ? undefined : findCommentBefore(own, comments);
    if (comment) found.unshift(comment);
  }
  return found;
}

/** Finds the declarations that apply to all values of a type, outermost first. */
function findDeclarations(
  written: WrittenType,
  type: ts.Type,
  resolver: TypeResolver,
): readonly ts.Declaration[] {
  const { structure, declarations, end } = resolver.resolve(written);
  if (structure.kind === "union") {
    const only = findOnlyUnion(end, resolver);
    return only ? [...declarations, ...findDeclarations(only, type, resolver)] : declarations;
  }
  if (structure.kind !== "intersection" || type.isIntersection()) return declarations;
  // Both parts of `Count & Limit` hold, although the checker reduces it to `number`.
  const parts = getParts(end, resolver).filter((part) => resolver.denotes(part, type));
  return [...declarations, ...parts.flatMap((part) => findDeclarations(part, type, resolver))];
}

/**
 * Finds `Unit` in `Unit | null` if `Unit` is a union, which the checker merges with `null` into one union. A type that is
 * not a union is derived on its own, with its comment.
 */
function findOnlyUnion(written: WrittenType, resolver: TypeResolver): WrittenType | undefined {
  const { structure } = resolver.resolve(written);
  if (structure.kind !== "union") return undefined;
  const [only, ...others] = structure.types.filter((each) => !isNull(resolver.resolveToAlias(each).node));
  if (!only || others.length > 0) return undefined;
  const isUnion =
    resolver.resolve(only).structure.kind === "union" || resolver.getType(only)?.isUnion() === true;
  return isUnion ? only : undefined;
}

/** Finds the comment directly before a type, such as before `number` in `Map<string, number>`. */
function findCommentBefore({ node, structure }: WrittenType, comments: CommentCache): DocComment | undefined {
  if (structure || node.getStart() - node.pos < "/** */".length) return undefined;
  // In `/** … *\/ string[]`, the comment describes the array.
  if (ts.isTypeNode(node.parent) && node.parent.pos === node.pos) return undefined;
  const comment = comments.getComment(node);
  return comment && isPackageFile(node.getSourceFile()) ? withSummary(comment) : comment;
}

/** Returns the comments of declarations that describe values of their types. */
function getComments(
  declarations: readonly ts.Declaration[],
  { types, comments }: CommentSources,
): DocComment[] {
  return declarations.flatMap((node) => {
    // In `type Code = /** … */ string`, the nearer comment is inside the declaration.
    const inside = ts.isTypeAliasDeclaration(node)
      ? findCommentBefore({ node: node.type, bindings: NO_BINDINGS }, comments)
      : undefined;
    const symbol = isMember(node) ? types.checker.getSymbolAtLocation(node.name) : undefined;
    const comment = symbol ? getMemberComment(symbol, comments) : getOwnComment(node, comments);
    if (!describesValues(node)) return [];
    const secret = symbol && getOwnerSecret(symbol, undefined, comments);
    return [
      inside,
      secret,
      comment && isPackageFile(node.getSourceFile()) ? withSummary(comment) : comment,
    ].filter((each) => each !== undefined);
  });
}

function getOwnComment(node: ts.Declaration, comments: CommentCache): DocComment | undefined {
  return ts.isParameter(node) ? getParameterComment(node, comments) : comments.getComment(node);
}

function isMember(
  node: ts.Node,
): node is ts.PropertySignature | ts.PropertyDeclaration | ts.ParameterDeclaration {
  return (
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameterPropertyDeclaration(node, node.parent)
  );
}

/** Returns whether comments describe values. Those of `Partial` and of a package's generic types explain the type itself. */
function describesValues(node: ts.Node): boolean {
  if (isLibraryNode(node)) return false;
  const isForeign = isPackageFile(node.getSourceFile());
  return !(isForeign && ts.isTypeAliasDeclaration(node) && node.typeParameters);
}

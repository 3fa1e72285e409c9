/**
 * Tags that a type loses if only the checker can evaluate its expression.
 * @module
 */
import { getDeclaredTags } from "../jsdoc/comment-cache.js";
import type { DocTag } from "../jsdoc/doc-comment.js";
import { isSchemaTag, limitsValues } from "../jsdoc/tags.js";
import { isLibraryNode } from "../typescript/nodes.js";
import { getIdentity } from "../typescript/type-identity.js";
import { ts } from "../typescript/typescript.js";
import { isPlain } from "./expressions.js";
import { getParameterComment } from "./member-comments.js";
import { findNamedSymbol, getLibraryTypeName, isNamingNode } from "./names.js";
import type { CommentSources } from "./type-comments.js";
import type { WrittenType } from "./written-type.js";

/** A tag that may apply to the values of a type, on an alias that the type's expression mentions. */
export interface LostTag {
  readonly tag: DocTag;
  readonly alias: ts.TypeAliasDeclaration;
  /** Whether the tag describes a part of the value's text, as in `Bearer ${Token}`. */
  readonly isOfPart: boolean;
}

/** Types with a text that the text of their argument determines. */
const TEXT_TYPES = new Set(["Uppercase", "Lowercase", "Capitalize", "Uncapitalize"]);

/**
 * Finds a tag that is lost because the expression of a type is not followed. An alias counts only if it is an alias of
 * this very type, of a type in it, or of a part of its text: the tags of another type would not apply to these values. A
 * tag that the author has repeated, and one about a part of a text that has a `@pattern` as a whole, is not lost.
 */
export function findLostTag(
  written: WrittenType,
  type: ts.Type,
  { types, comments }: CommentSources,
): LostTag | undefined {
  if (isPlain(written.node)) return undefined;
  const { structure, declarations: followed } = types.resolve(written);
  if (structure.kind !== "unfollowed") return undefined;
  const { checker } = types;
  const kept = new Set(
    [...followed, written.node.parent].flatMap((node) => listTags(node, comments)).map(({ name }) => name),
  );
  const visited = new Set<ts.Node>();
  const visit = (node: ts.Node | undefined, isText: boolean): LostTag | undefined => {
    if (!node || visited.has(node)) return undefined;
    visited.add(node);
    if (ts.isBlock(node)) return visitReturned(node, isText);
    const symbol = isNamingNode(node) ? findNamedSymbol(node, checker) : undefined;
    const { bindings } = written;
    const isAccess = ts.isIndexedAccessTypeNode(node);
    const member = isAccess ? findAccessed(node, checker) : undefined;
    // In a mapped type, the name is bound.
    const bound = symbol ? bindings.get(symbol) : isAccess && !member && types.step({ node, bindings });
    if (bound) return visit(bound.node, isText);
    const isOfPart = isText || isTextType(node, checker);
    for (const declaration of (symbol ?? member)?.declarations ?? []) {
      const found = visitDeclaration(declaration, isOfPart);
      if (found) return found;
    }
    return ts.forEachChild(node, (child) => visit(child, isOfPart));
  };
  /** Visits what the body of a function returns. */
  const visitReturned = (node: ts.Node, isText: boolean): LostTag | undefined => {
    if (ts.isReturnStatement(node)) return visit(node.expression, isText);
    return ts.isFunctionLike(node)
      ? undefined
      : ts.forEachChild(node, (child) => visitReturned(child, isText));
  };
  const visitDeclaration = (declaration: ts.Declaration, isOfPart: boolean): LostTag | undefined => {
    if (isLibraryNode(declaration)) return undefined;
    if (ts.isFunctionLike(declaration) || isValue(declaration)) return visit(declaration, isOfPart);
    if (!ts.isTypeAliasDeclaration(declaration)) return undefined;
    if (followed.includes(declaration)) return visit(declaration.type, isOfPart);
    const isLost = isOfPart ? limitsValues : isSchemaTag;
    const tag = getDeclaredTags(declaration, comments).find(
      ({ name }) =>
        isLost(name) && !kept.has(name) && !(isOfPart && name !== "secret" && kept.has("pattern")),
    );
    return tag && (isOfPart || contains(type, getIdentity(checker.getTypeAtLocation(declaration)), checker))
      ? { tag, alias: declaration, isOfPart }
      : visit(declaration.type, isOfPart);
  };
  return visit(written.node, false);
}

/** Finds the member in a type such as `Counter["count"]`. */
function findAccessed(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  checker: ts.TypeChecker,
): ts.Symbol | undefined {
  const name =
    ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal)
      ? indexType.literal.text
      : undefined;
  return name === undefined ? undefined : checker.getTypeFromTypeNode(objectType).getProperty(name);
}

function isValue(declaration: ts.Declaration): boolean {
  return (
    ts.isVariableDeclaration(declaration) ||
    ts.isPropertyDeclaration(declaration) ||
    ts.isPropertyAssignment(declaration)
  );
}

const MAX_DEPTH = 4;

/** Returns whether values of a type are or contain values of the type with an identity. */
function contains(
  type: ts.Type,
  identity: string,
  checker: ts.TypeChecker,
  depth = 0,
  searched = new Set<ts.Type>(),
): boolean {
  if (getIdentity(type) === identity) return true;
  if (depth === MAX_DEPTH || searched.has(type)) return false;
  searched.add(type);
  const parts = listParts(type, checker);
  return parts.some((each) => contains(each, identity, checker, depth + 1, searched));
}

/** Lists the members of a union or an intersection, or the types in an object or a list. */
function listParts(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  if (type.isUnionOrIntersection()) return type.types;
  if (!(type.flags & ts.TypeFlags.Object)) return [];
  if (checker.isArrayLikeType(type)) return checker.getTypeArguments(type as ts.TypeReference);
  return [
    ...checker.getPropertiesOfType(type).map((each) => checker.getTypeOfSymbol(each)),
    ...checker.getIndexInfosOfType(type).map((each) => each.type),
  ];
}

function isTextType(node: ts.Node, checker: ts.TypeChecker): boolean {
  return ts.isTemplateLiteralTypeNode(node) || TEXT_TYPES.has(getLibraryTypeName(node, checker) ?? "");
}

/** Lists the tags about the value that a declaration declares. */
function listTags(node: ts.Node, comments: CommentSources["comments"]): readonly DocTag[] {
  return ts.isParameter(node)
    ? (getParameterComment(node, comments)?.tags ?? [])
    : getDeclaredTags(node, comments);
}

/**
 * Tags that a type loses if only the checker can evaluate its expression.
 * @module
 */
import { getDeclaredTags } from "../jsdoc/comment-cache.js";
import type { DocTag } from "../jsdoc/doc-comment.js";
import { isSchemaTag } from "../jsdoc/tags.js";
import { isLibraryNode } from "../typescript/nodes.js";
import { getIdentity } from "../typescript/type-identity.js";
import { ts } from "../typescript/typescript.js";
import { isPlain } from "./expressions.js";
import { isNamingNode, findNamedSymbol } from "./names.js";
import type { CommentSources } from "./type-comments.js";
import type { WrittenType } from "./written-type.js";

/** A tag that may apply to the values of a type, on an alias that the type's expression mentions. */
export interface LostTag {
  readonly tag: DocTag;
  readonly alias: ts.TypeAliasDeclaration;
  /** The expression that is not followed. */
  readonly node: ts.Node;
}

/**
 * Finds a tag that is lost because the expression of a type is not followed. An alias counts only if it is an alias of
 * this very type: the tags of another type would not apply to these values.
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
  const visited = new Set<ts.Node>();
  const visit = (node: ts.Node | undefined): LostTag | undefined => {
    if (!node || visited.has(node) || ts.isBlock(node)) return undefined;
    visited.add(node);
    const symbol = isNamingNode(node) ? findNamedSymbol(node, checker) : undefined;
    const bound = symbol && written.bindings.get(symbol);
    if (bound) return visit(bound.node);
    for (const declaration of symbol?.declarations ?? []) {
      const found = visitDeclaration(declaration);
      if (found) return found;
    }
    return ts.forEachChild(node, visit);
  };
  const visitDeclaration = (declaration: ts.Declaration): LostTag | undefined => {
    if (isLibraryNode(declaration)) return undefined;
    if (ts.isFunctionLike(declaration) || ts.isVariableDeclaration(declaration)) return visit(declaration);
    if (!ts.isTypeAliasDeclaration(declaration)) return undefined;
    if (followed.includes(declaration)) return visit(declaration.type);
    const tag = getDeclaredTags(declaration, comments).find(({ name }) => isSchemaTag(name));
    const isSame = getIdentity(checker.getTypeAtLocation(declaration)) === getIdentity(type);
    return tag && isSame ? { tag, alias: declaration, node: structure.node } : visit(declaration.type);
  };
  return visit(written.node);
}

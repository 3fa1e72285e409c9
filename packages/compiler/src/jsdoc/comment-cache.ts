import type { ts } from "../project/typescript.js";
import { readComment, type DocComment } from "./doc-comment.js";

/** The documentation comments of one program, each read once. */
export interface CommentCache {
  readonly checker: ts.TypeChecker;
  /** The comment directly before a node. */
  commentOf(node: ts.Node): DocComment | undefined;
}

/** One per checker. */
export function createCommentCache(checker: ts.TypeChecker): CommentCache {
  const comments = new Map<ts.Node, DocComment | undefined>();
  return {
    checker,
    commentOf(node) {
      if (comments.has(node)) return comments.get(node);
      const comment = readComment(node);
      comments.set(node, comment);
      return comment;
    },
  };
}

import type { ts } from "../project/typescript.js";
import { isPackageFile } from "../project/nodes.js";
import { readComment, type DocComment } from "./doc-comment.js";
import { withPlainLinks } from "./package-comments.js";

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
      const read = readComment(node);
      const comment = read && isPackageFile(node.getSourceFile()) ? withPlainLinks(read) : read;
      comments.set(node, comment);
      return comment;
    },
  };
}

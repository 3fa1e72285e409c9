import { ts } from "../typescript/typescript.js";
import { readComment, type DocComment, type DocTag } from "./doc-comment.js";
import { withPlainLinks } from "./links.js";

/** The documentation comments of one program. Each is read once. */
export interface CommentCache {
  readonly checker: ts.TypeChecker;
  /** Returns the comment directly before a node. */
  getComment(node: ts.Node): DocComment | undefined;
  /** Returns the nodes whose comments were read. */
  listNodes(): ts.Node[];
}

/** Creates the cache for a checker. */
export function createCommentCache(checker: ts.TypeChecker): CommentCache {
  const comments = new Map<ts.Node, DocComment | undefined>();
  return {
    checker,
    listNodes: () => [...comments.keys()],
    getComment(node) {
      if (comments.has(node)) return comments.get(node);
      const read = readComment(node);
      const comment = read && withPlainLinks(read);
      comments.set(node, comment);
      return comment;
    },
  };
}

/** Returns the tags of a declaration: those of its comment, and for an alias those of the comment before its type. */
export function getDeclaredTags(declaration: ts.Node, { getComment }: CommentCache): DocTag[] {
  const nodes = ts.isTypeAliasDeclaration(declaration) ? [declaration, declaration.type] : [declaration];
  return nodes.flatMap((node) => getComment(node)?.tags ?? []);
}

/**
 * Reduces a comment in a package to the first paragraph of its text, up to the first code block. Packages describe
 * their types for people who program with them. By the convention of TSDoc, later paragraphs explain how to use the type in
 * code, which issue it works around, or what to write instead. Comments of members are kept whole.
 */
export function withSummary(comment: DocComment): DocComment {
  const [summary = ""] = comment.text.split(/\n\s*\n|^\s*(?:```|~~~)/m);
  return { ...comment, text: summary.trimEnd() };
}

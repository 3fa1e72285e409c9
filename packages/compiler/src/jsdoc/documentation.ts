import type { ts } from "../project/typescript.js";
import type { CommentCache } from "./comment-cache.js";
import { methodComment } from "./member-comments.js";

/**
 * The JSDoc text of the nearest documented node: everything before and between the tags, to the letter. A method
 * without text of its own has that of the method it overrides or implements.
 *
 * @param nodes nearest first
 * @returns undefined when nothing is written
 */
export function documentation(nodes: readonly ts.Node[], comments: CommentCache): string | undefined {
  for (const node of nodes) {
    const text = methodComment(node, comments)?.text;
    if (text) return text;
  }
  return undefined;
}

/**
 * What the nearest `@deprecated` says, as a sentence of a description: no definition has a member for it.
 *
 * @returns undefined where nothing is deprecated
 * @example
 * deprecation([method], comments) // "Deprecated: Use `search`."
 */
export function deprecation(nodes: readonly ts.Node[], comments: CommentCache): string | undefined {
  const tag = nodes
    .flatMap((node) => comments.commentOf(node)?.tags ?? [])
    .find(({ name }) => name === "deprecated");
  if (tag === undefined) return undefined;
  const text = tag.text.trim();
  return text === "" ? "Deprecated." : `Deprecated: ${text}`;
}

/**
 * The text of a JSDoc tag on the nearest node that has it.
 *
 * @example
 * tagText([method], "mimeType", comments) // "text/markdown"
 */
export function tagText(nodes: readonly ts.Node[], name: string, comments: CommentCache): string | undefined {
  for (const node of nodes) {
    const tag = comments.commentOf(node)?.tags.find((each) => each.name === name);
    if (tag?.text.trim()) return tag.text.trim();
  }
  return undefined;
}

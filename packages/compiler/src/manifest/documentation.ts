import type { ts } from "../typescript/typescript.js";
import type { CommentCache } from "../jsdoc/comment-cache.js";
import type { TypeSyntax } from "../syntax/type-syntax.js";

/**
 * Returns the JSDoc text of the nearest documented node: everything before and between the tags, verbatim. A method without
 * text has that of the method that it overrides or implements.
 *
 * @param nodes nearest first
 * @returns undefined if there is no text
 */
export function findDocumentation(nodes: readonly ts.Node[], types: TypeSyntax): string | undefined {
  for (const node of nodes) {
    const text = types.getMethodComment(node)?.text;
    if (text) return text;
  }
  return undefined;
}

/**
 * Returns the text of the nearest `@deprecated` for a description, because definitions have no member for it.
 *
 * @returns undefined if there is no such tag
 * @example
 * describeDeprecation([method], comments) // "Deprecated: Use `search`."
 */
export function describeDeprecation(nodes: readonly ts.Node[], comments: CommentCache): string | undefined {
  const tag = nodes
    .flatMap((node) => comments.getComment(node)?.tags ?? [])
    .find(({ name }) => name === "deprecated");
  if (tag === undefined) return undefined;
  const text = tag.text.trim();
  return text === "" ? "Deprecated." : `Deprecated: ${text}`;
}

/**
 * Returns the text of a JSDoc tag on the nearest node that has it.
 *
 * @example
 * findTagText([method], "mimeType", comments) // "text/markdown"
 */
export function findTagText(
  nodes: readonly ts.Node[],
  name: string,
  comments: CommentCache,
): string | undefined {
  for (const node of nodes) {
    const tag = comments.getComment(node)?.tags.find((each) => each.name === name);
    if (tag?.text.trim()) return tag.text.trim();
  }
  return undefined;
}

import type { ts } from "../project/typescript.js";
import { methodComment } from "./member-comments.js";
import type { DocTag } from "./doc-comment.js";
import type { DeriveMemory } from "../schema/memory.js";

/**
 * The text of a method's or class's JSDoc: everything before and between the tags, to the letter. A method
 * without text of its own has that of the method it overrides or implements.
 *
 * @returns undefined when nothing is written
 */
export function describe(node: ts.Node, memory: DeriveMemory): string | undefined {
  return methodComment(node, memory)?.text || undefined;
}

/** The JSDoc tags directly before a node, in order; `@mimeType text/markdown` is `{ name: "mimeType", text: "text/markdown" }`. */
export function jsDocTags(node: ts.Node, memory: DeriveMemory): readonly DocTag[] {
  return memory.commentOf(node)?.tags ?? [];
}

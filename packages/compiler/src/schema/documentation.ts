import { ts } from "ts-morph";
import { memberComment } from "./comments.js";
import type { DocTag } from "./jsdoc.js";
import type { DeriveMemory } from "./memory.js";

/**
 * The text of a method's or class's JSDoc: everything before and between the tags, to the letter. A method
 * without text of its own has that of the method it overrides or implements.
 *
 * @returns undefined when nothing is written
 */
export function describe(node: ts.Node, memory: DeriveMemory): string | undefined {
  const name = (ts.isMethodDeclaration(node) || ts.isPropertyDeclaration(node)) && node.name;
  const symbol = name ? memory.checker.getSymbolAtLocation(name) : undefined;
  const comment = symbol ? memberComment(symbol, memory) : memory.commentOf(node);
  return comment?.text || undefined;
}

/** The JSDoc tags directly before a node, in order; `@mimeType text/markdown` is `{ name: "mimeType", text: "text/markdown" }`. */
export function jsDocTags(node: ts.Node, memory: DeriveMemory): readonly DocTag[] {
  return memory.commentOf(node)?.tags ?? [];
}

/**
 * Comments in packages are written for people who program with them, and readers of a schema see nothing but values.
 * What their members are is told whole. Of a type, the first paragraph says what it is, and those behind it, by the
 * convention of TSDoc, how to use it in code, which issue it works around, or what to write instead.
 * @module
 */
import type { DocComment } from "./doc-comment.js";

/** A comment whose links are the words that a page would show: `{@link parse | the parser}` is `the parser`. */
export function withPlainLinks(comment: DocComment): DocComment {
  const text = comment.text.replaceAll(LINK, (_, target: string, label?: string) => label ?? target);
  return text === comment.text ? comment : { ...comment, text };
}

const LINK = /\{@link(?:code|plain)?\s+([^\s|{}]+)(?:\s*\|\s*|\s+)?([^\s{}][^{}]*?)?\s*\}/g;

/** A comment with the first paragraph of its text, up to the first block of code. */
export function withSummary(comment: DocComment): DocComment {
  const [summary = ""] = comment.text.split(/\n\s*\n|^\s*(?:```|~~~)/m);
  return { ...comment, text: summary.trimEnd() };
}

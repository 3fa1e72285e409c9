import type { Operation } from "./operations.js";

/**
 * Shortens a description to the sentences at its beginning that fit. Removes markup and link targets, because each
 * word costs tokens.
 *
 * @param maxLength the maximum number of characters
 * @example
 * shorten("Lists pets. See [the docs](https://…) for more.\n\nMore about it.", 200) // "Lists pets. See the docs for more."
 */
export function shorten(text: string, maxLength: number): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/);
  const plain = paragraph
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<\/?[a-zA-Z][^>]*>/g, "")
    // In comments, `@` at the start of a line begins a tag, and `{@` does anywhere.
    .replaceAll(/\{@(\w+)\s+([^}]*)\}/g, "$2")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(/(^| )@(?=\w)/g, "$1")
    .replaceAll("*/", "* /")
    .replaceAll("```", "`")
    .trim();
  if (plain.length <= maxLength) return plain;
  const sentences = plain.slice(0, maxLength).match(/^.*[.!?](?=\s)/s)?.[0];
  if (sentences !== undefined && sentences.length > maxLength / 4) return sentences;
  const end = plain.lastIndexOf(" ", maxLength - 1);
  return `${plain.slice(0, end > 0 ? end : maxLength - 1)}…`;
}

/** Returns the description of a tool: the operation's summary, followed by its description unless that repeats it. */
export function describeOperation({ method, path, summary, description, isDeprecated }: Operation): string {
  const first = summary === undefined ? "" : shorten(summary, 150).replace(/(?<![.!?…])$/, ".");
  const rest = description === undefined ? "" : shorten(description, 400);
  const text = beginsWith(first, rest) ? first || rest : beginsWith(rest, first) ? rest : `${first} ${rest}`;
  return `${isDeprecated ? "Deprecated. " : ""}${text.trim() || `${method} ${path}`}`;
}

/** Returns whether a string begins with another, ignoring case and punctuation. */
function beginsWith(text: string, beginning: string): boolean {
  const [whole, part] = [text, beginning].map((each) =>
    each
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim(),
  );
  return whole?.startsWith(part ?? "") === true;
}

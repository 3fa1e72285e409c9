/**
 * What a description says first: whole sentences, as many as fit. Links lose their addresses, and markup goes.
 *
 * @example
 * shortened("Lists pets. See [the docs](https://…) for more.\n\nMore about it.", 200) // "Lists pets. See the docs for more."
 */
export function shortened(text: string, most: number): string {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/);
  const plain = paragraph
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<\/?[a-zA-Z][^>]*>/g, "")
    // In comments, what begins a line with `@` is a tag, and `{@` begins one anywhere.
    .replaceAll(/\{@(\w+)\s+([^}]*)\}/g, "$2")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(/(^| )@(?=\w)/g, "$1")
    .replaceAll("*/", "* /")
    .replaceAll("```", "`")
    .trim();
  if (plain.length <= most) return plain;
  const sentences = plain.slice(0, most).match(/^.*[.!?](?=\s)/s)?.[0];
  if (sentences !== undefined && sentences.length > most / 4) return sentences;
  return `${plain.slice(0, plain.lastIndexOf(" ", most - 1) > 0 ? plain.lastIndexOf(" ", most - 1) : most - 1)}…`;
}

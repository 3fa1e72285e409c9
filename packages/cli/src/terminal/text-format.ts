import { stripVTControlCharacters } from "node:util";
import textWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

/**
 * @example
 * count(1, "tool") // "1 tool"
 * count(2, "tool") // "2 tools"
 */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** What a server has, of a manifest or as it is listed. */
type Lists = Readonly<
  Record<"tools" | "prompts" | "resources" | "resourceTemplates", { readonly length: number }>
>;

/**
 * How much a server offers, in one phrase.
 *
 * @example
 * const listed = { tools: ["add", "search"], prompts: ["plan"], resources: [], resourceTemplates: ["note://{id}"] };
 * summarize(listed) // "2 tools, 1 prompt and 1 resource template"
 */
export function summarize(lists: Lists): string {
  const parts = [
    [lists.tools.length, "tool"] as const,
    [lists.prompts.length, "prompt"] as const,
    [lists.resources.length, "resource"] as const,
    [lists.resourceTemplates.length, "resource template"] as const,
  ].flatMap(([number, noun]) => (number > 0 ? [count(number, noun)] : []));
  const last = parts.pop();
  if (!last) return "nothing";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}

/** No text is wrapped to fewer columns than this: it would be a column of words. */
const NARROWEST = 12;

/** Breaks text at spaces so that no line is wider than `width` columns; line breaks stay, and words are whole. */
export function wrap(text: string, width: number): string[] {
  const columns = Math.max(width, NARROWEST);
  return text
    .split("\n")
    .flatMap((line) => (textWidth(line) <= columns ? [line] : wrapAnsi(line, columns).split("\n")));
}

/**
 * Breaks the sentences of a diagnostic at spaces, each line as far in as the one it goes on from. Lines of source code,
 * which stand behind a bar, stay as they are.
 *
 * @example
 * wrapDiagnostic("  hint  Use a string literal type.", 24) // "  hint  Use a string\n        literal type."
 */
export function wrapDiagnostic(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (line.includes("│") || textWidth(line) <= width ? line : wrapHanging(line, width)))
    .join("\n");
}

function wrapHanging(line: string, width: number): string {
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  const head = /^ *- /.exec(line)?.[0] ?? labelOf(line) ?? line.slice(0, indent);
  const hanging = " ".repeat(textWidth(head));
  return head + wrapAnsi(line.slice(head.length), width - hanging.length).replaceAll("\n", `\n${hanging}`);
}

/** The word that a line begins with, and what is between it and the text. Colours may be around it. */
function labelOf(line: string): string | undefined {
  const plain = stripVTControlCharacters(line);
  if (!/^ *(?:error|hint|page) {2}/.test(plain)) return undefined;
  return /^ *\S+ +/.exec(line)?.[0];
}

/** Text with spaces after it, `width` columns in all. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** How many columns the widest of these texts takes. */
export function widestOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => textWidth(text)));
}

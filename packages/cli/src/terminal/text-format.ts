import { stripVTControlCharacters } from "node:util";
import textWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

/**
 * Formats a number with its noun.
 *
 * @example
 * formatCount(1, "tool") // "1 tool"
 * formatCount(2, "tool") // "2 tools"
 */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * Joins items with commas and a conjunction.
 *
 * @example
 * formatList(["a", "b", "c"]) // "a, b, and c"
 * formatList(["a", "b"], "or") // "a or b"
 */
export function formatList(items: readonly string[], conjunction: "and" | "or" = "and"): string {
  const last = items.at(-1) ?? "";
  const comma = items.length > 2 ? "," : "";
  return items.length > 1 ? `${items.slice(0, -1).join(", ")}${comma} ${conjunction} ${last}` : last;
}

/** The lists of a manifest or a running server. */
type Lists = Readonly<
  Record<"tools" | "prompts" | "resources" | "resourceTemplates", { readonly length: number }>
> & { readonly skills?: { readonly length: number } };

/**
 * Formats the numbers of tools, prompts, resources, templates, and skills.
 *
 * @example
 * const listed = { tools: ["add", "search"], prompts: ["plan"], resources: [], resourceTemplates: ["note://{id}"] };
 * summarize(listed) // "2 tools, 1 prompt, and 1 resource template"
 */
export function summarize(lists: Lists): string {
  const parts = [
    [lists.tools.length, "tool"] as const,
    [lists.prompts.length, "prompt"] as const,
    [lists.resources.length, "resource"] as const,
    [lists.resourceTemplates.length, "resource template"] as const,
    [lists.skills?.length ?? 0, "skill"] as const,
  ].flatMap(([number, noun]) => (number > 0 ? [formatCount(number, noun)] : []));
  return formatList(parts) || "nothing";
}

/** Formats a size in bytes. */
export function formatSize(bytes: number): string {
  return bytes < 1024 ? formatCount(bytes, "byte") : `${(bytes / 1024).toFixed(1)} kB`;
}

/** Minimum width to which text is wrapped. */
const MIN_WRAP_COLUMNS = 12;

/** Wraps text at spaces to `width` columns. Line breaks stay, and words are never broken. */
export function wrap(text: string, width: number): string[] {
  const columns = Math.max(width, MIN_WRAP_COLUMNS);
  return text
    .split("\n")
    .flatMap((line) => (textWidth(line) <= columns ? [line] : wrapAnsi(line, columns).split("\n")));
}

/**
 * Wraps the sentences of a diagnostic at spaces and indents continuation lines. Lines of source code, which follow a bar,
 * stay unchanged.
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
  const head = /^ *- /.exec(line)?.[0] ?? findLabel(line) ?? line.slice(0, indent);
  const hanging = " ".repeat(textWidth(head));
  return head + wrapAnsi(line.slice(head.length), width - hanging.length).replaceAll("\n", `\n${hanging}`);
}

/** Finds the label at the start of a line, with the spaces after it. It may be colored. */
function findLabel(line: string): string | undefined {
  const plain = stripVTControlCharacters(line);
  if (!/^ *(?:error|hint) {2}/.test(plain)) return undefined;
  return /^ *\S+ +/.exec(line)?.[0];
}

/** Pads text with spaces to `width` columns. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Returns the width of the widest text in columns. */
export function getMaxWidth(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => textWidth(text)));
}

/** Returns the source of a regular expression that matches exactly this text. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

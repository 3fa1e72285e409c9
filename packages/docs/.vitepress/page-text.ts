import { readFileSync } from "node:fs";
import { join } from "node:path";

const packages = join(import.meta.dirname, "../..");

/** Returns the title of a page, its first heading. */
export function getTitle(path: string): string {
  return toPlainText(/^# (.+)$/m.exec(readPage(path))?.[1] ?? path);
}

/**
 * Returns the summary of a page: its first paragraph, or the message of a diagnostic.
 *
 * @param path the path of the page, relative to `packages/`
 * @example
 * getSummary("compiler/errors/type-function.md") // "Argument notify of tool watch is a function…"
 */
export function getSummary(path: string): string {
  const text = readPage(path);
  const message = /^```text\n.+\n {2}(.+)$/m.exec(text)?.[1];
  if (path.startsWith("compiler/errors/") && message !== undefined) return toPlainText(message);
  const prose = text.replaceAll(/^(`{3,})[\s\S]*?^\1$|^<!--[\s\S]*?-->$/gm, "");
  const paragraph = /^# .+\n+((?:[^#\n|-].*\n)+)/m.exec(prose)?.[1] ?? "";
  const [first = "", second] = toPlainText(paragraph.replaceAll(/\s+/g, " ").trim()).split(/(?<=[.!?]) /);
  const both = second !== undefined && first.length + second.length < 180 ? `${first} ${second}` : first;
  return both.replace(/:$/, ".");
}

/** Removes the markup from a line of Markdown. */
function toPlainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/`|\*\*/g, "");
}

function readPage(path: string): string {
  return readFileSync(join(packages, path), "utf8");
}

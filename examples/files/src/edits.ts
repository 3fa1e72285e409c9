import { createTwoFilesPatch } from "diff";
import { ToolError } from "@tenon/runtime";

export interface Edit {
  /** Text to search for */
  oldText: string;
  /** Text to replace it with */
  newText: string;
}

/** @returns the text with all edits, in its own kind of line ends */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const isWindows = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  let edited = unixLines(text);
  for (const { oldText, newText } of edits) edited = replaced(edited, unixLines(oldText), unixLines(newText));
  return isWindows ? edited.replaceAll("\n", "\r\n") : edited;
}

/** What changed, as a fenced block that nothing in the text can end. */
export function patchOf(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(path, path, unixLines(before), unixLines(after), "original", "modified");
  let fence = "```";
  while (patch.includes(fence)) fence += "`";
  return `${fence}diff\n${patch}${fence}\n\n`;
}

function replaced(text: string, oldText: string, newText: string): string {
  if (text.includes(oldText)) return text.replace(oldText, () => newText);
  const lines = text.split("\n");
  const wanted = oldText.split("\n").map((line) => line.trim());
  const at = lines.findIndex((_, index) =>
    wanted.every((line, offset) => lines[index + offset]?.trim() === line),
  );
  if (at === -1) throw new ToolError(`Could not find exact match for edit:\n${oldText}`);
  lines.splice(at, wanted.length, ...indented(newText, oldText, indentOf(lines[at] ?? "")));
  return lines.join("\n");
}

/** The new lines, as deep as the old ones were in the file, and among each other as they were written. */
function indented(newText: string, oldText: string, indent: string): string[] {
  const oldLines = oldText.split("\n");
  return newText.split("\n").map((line, index) => {
    if (index === 0) return indent + line.trimStart();
    const [was, is] = [indentOf(oldLines[index] ?? ""), indentOf(line)];
    if (was === "" || is === "") return line;
    return indent + " ".repeat(Math.max(0, is.length - was.length)) + line.trimStart();
  });
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

function unixLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

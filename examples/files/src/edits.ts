import { createTwoFilesPatch } from "diff";
import { ToolError } from "@tenon/runtime";

export interface Edit {
  /** Text to search for */
  oldText: string;
  /** Text to replace it with */
  newText: string;
}

/** Applies edits to text, and keeps its line endings. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const isWindows = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  let edited = toUnixLines(text);
  for (const { oldText, newText } of edits)
    edited = replaceText(edited, toUnixLines(oldText), toUnixLines(newText));
  return isWindows ? edited.replaceAll("\n", "\r\n") : edited;
}

/** Returns the changes as a fenced block, with a fence that does not occur in the text. */
export function createPatch(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(
    path,
    path,
    toUnixLines(before),
    toUnixLines(after),
    "original",
    "modified",
  );
  let fence = "```";
  while (patch.includes(fence)) fence += "`";
  return `${fence}diff\n${patch}${fence}\n\n`;
}

function replaceText(text: string, oldText: string, newText: string): string {
  if (text.includes(oldText)) return text.replace(oldText, () => newText);
  const lines = text.split("\n");
  const expectedLines = oldText.split("\n").map((line) => line.trim());
  const at = lines.findIndex((_, index) =>
    expectedLines.every((line, offset) => lines[index + offset]?.trim() === line),
  );
  if (at === -1) throw new ToolError(`Could not find exact match for edit:\n${oldText}`);
  lines.splice(at, expectedLines.length, ...indentLines(newText, oldText, getIndent(lines[at] ?? "")));
  return lines.join("\n");
}

/** Returns the new lines with the indentation of the replaced lines, and with their own relative indentation. */
function indentLines(newText: string, oldText: string, indent: string): string[] {
  const oldLines = oldText.split("\n");
  return newText.split("\n").map((line, index) => {
    if (index === 0) return indent + line.trimStart();
    const [was, is] = [getIndent(oldLines[index] ?? ""), getIndent(line)];
    if (was === "" || is === "") return line;
    return indent + " ".repeat(Math.max(0, is.length - was.length)) + line.trimStart();
  });
}

function getIndent(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

function toUnixLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

import type { Manifest } from "@tenon/runtime/manifest";

/**
 * @example
 * count(1, "tool") // "1 tool"
 * count(2, "tool") // "2 tools"
 */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * What a server offers, in one phrase.
 *
 * @example
 * offer(manifest) // "2 tools, 1 prompt and 1 resource template"
 */
export function offer(manifest: Manifest): string {
  const parts = [
    [manifest.tools.length, "tool"] as const,
    [manifest.prompts.length, "prompt"] as const,
    [manifest.resources.length, "resource"] as const,
    [manifest.resourceTemplates.length, "resource template"] as const,
  ].flatMap(([number, noun]) => (number > 0 ? [count(number, noun)] : []));
  const last = parts.pop();
  if (!last) return "nothing";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}

/** Breaks text at spaces so that no line is wider than `width` columns; line breaks stay. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(width, 20)));
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current ? `${current} ${word}` : word;
    }
  }
  return [...lines, current];
}

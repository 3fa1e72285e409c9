/** Control and format characters, such as those that change the direction of text, and line separators. */
const CONTROLS = /[^\P{C}\t]|[\p{Zl}\p{Zp}]/gu;

/**
 * Escapes control characters, so that no text can add a line to the log, or send a command to the terminal that shows
 * it.
 *
 * @example
 * escapeControls("a\u001b[2J") // "a\\u{1b}[2J"
 */
export function escapeControls(line: string): string {
  return line.replaceAll(CONTROLS, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

/** Escapes the same characters in JSON text, whose values stay the same. `JSON.stringify` leaves most of them as they are. */
export function escapeControlsInJson(json: string): string {
  return json.replaceAll(CONTROLS, (found) =>
    Array.from({ length: found.length }, (_, index) => toJsonEscape(found.charCodeAt(index))).join(""),
  );
}

function toJsonEscape(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, "0")}`;
}

/** A line of a comment. */
export interface Line {
  text: string;
  /** The offset of `text` in the file. */
  start: number;
}

/** Splits a comment into lines, without its delimiters, stars, and indentation. `pos` and `end` include the delimiters. */
export function splitLines(text: string, pos: number, end: number): Line[] {
  const raw = text.slice(pos + 3, end - 2).split(/(?<=\n)|(?<=\r)(?!\n)/);
  const lines: Line[] = [];
  let at = pos + 3;
  const starless = raw.slice(1).filter((line) => line.trim() && !/^\s*\*/.test(line));
  const margin = getSharedIndent(starless);
  for (const each of raw) {
    const line = each.replace(/[\r\n]+$/, "");
    const prefix = lines.length === 0 ? /^[ \t]?/ : /^\s*\*[ \t]?/;
    const cut = prefix.exec(line)?.[0].length ?? Math.min(margin, getSharedIndent([line]));
    lines.push({ text: line.slice(cut), start: at + cut });
    at += each.length;
  }
  return lines;
}

/** Returns the indentation that all the lines share. */
function getSharedIndent(lines: readonly string[]): number {
  return lines.length === 0 ? 0 : Math.min(...lines.map((line) => /^[^\S\r\n]*/.exec(line)?.[0].length ?? 0));
}

/** Removes the indentation that all lines of a tag except the first share. */
export function removeSharedIndent([first = "", ...others]: readonly string[]): string[] {
  const margin = getSharedIndent(others.filter((line) => line.trim()));
  return [first, ...others.map((line) => line.slice(Math.min(margin, getSharedIndent([line]))))];
}

/** Joins lines, removes blank lines around them, and undoes the escapes that a comment requires. */
export function tidy(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd()
    .replaceAll("*\\/", "*/")
    .replaceAll("\\@", "@");
}

import { parse, stringify } from "smol-toml";
import {
  type ConfigChange,
  findDifferences,
  getLineBreak,
  getOwn,
  isSettings,
  type Settings,
  toSettings,
} from "./config-settings.js";

/** A table in the text of a file. */
interface TomlTable {
  /** Whether it is the server's own table rather than a nested one. */
  readonly isWhole: boolean;
  /** The index of the line of its heading. */
  readonly start: number;
  /** The index after its last line that is neither blank nor a comment. */
  readonly end: number;
}

/**
 * Reads TOML.
 *
 * @throws Error if it is invalid
 */
export function readToml(text: string): Settings {
  return parse(text);
}

/**
 * Returns the text with a server changed, line by line, because no TOML library keeps comments. Values on one line are
 * replaced there. For other changes, the tables of the server are written again.
 */
export function changeToml(text: string, { key, server, entry }: ConfigChange): string {
  const eol = getLineBreak(text);
  const lines = text.split(/(?<=\n)/);
  const tables = findTables(lines, [key, server]);
  const before = getOwn(toSettings(readToml(text)[key]), server);
  if (isSettings(before) && isSettings(entry)) {
    let changed: string[] | undefined = lines;
    for (const { path, value } of findDifferences(before, entry, [])) {
      const names = path.slice(0, -1);
      const table: TomlTable | undefined =
        changed && findTables(changed, [key, server, ...names]).find((each) => each.isWhole);
      const name = path.at(-1) ?? "";
      const parent = names.reduce(
        (at: unknown, each) => (isSettings(at) ? getOwn(at, each) : undefined),
        before,
      );
      const isNew = isSettings(parent) && !Object.hasOwn(parent, name);
      changed = changed && table && changeLine(changed, table, { name, value, isNew, eol });
    }
    if (changed !== undefined) return changed.join("");
  }
  const [first] = tables;
  const isOwn = (index: number): boolean => tables.some(({ start, end }) => index >= start && index < end);
  if (entry !== undefined) {
    const table = stringify({ [key]: { [server]: entry } })
      .replace(`[${key}]\n`, "")
      .trim();
    const added = `${table.replaceAll("\n", eol)}${eol}`;
    if (first === undefined) return `${endWithBlankLine(text, eol)}${added}`;
    return lines
      .flatMap((line, index) => (index === first.start ? added : isOwn(index) ? [] : line))
      .join("");
  }
  if (first === undefined) return text;
  // The blank line before the tables is removed, too.
  const start = first.start > 0 && isBlank(lines[first.start - 1]) ? first.start - 1 : first.start;
  const rest = lines.filter((_, index) => index >= first.start && !isOwn(index)).join("");
  return lines.slice(0, start).join("") + rest;
}

/** Finds the table with these names, and its nested tables. Comments and blank lines after a table belong to the next one. */
function findTables(lines: readonly string[], owner: readonly string[]): TomlTable[] {
  const headings = lines.flatMap((line, start) => {
    const path = /^\s*\[/.test(line) ? readHeading(line) : undefined;
    return path ? [{ path, start }] : [];
  });
  const isOwn = (path: readonly string[] = []): boolean => owner.every((name, index) => path[index] === name);
  return headings.flatMap(({ path, start }, index) => {
    if (!isOwn(path)) return [];
    const next = headings[index + 1];
    const limit = next?.start ?? lines.length;
    let end = limit;
    while (end > start + 1 && isBlankOrComment(lines[end - 1])) end--;
    // Blank lines between two tables of the server belong to the server.
    if (isOwn(next?.path) && lines.slice(end, limit).every(isBlank)) end = limit;
    return [{ isWhole: path.length === owner.length, start, end }];
  });
}

/** Returns the names in the heading of a table, or undefined for another line. */
function readHeading(line: string): string[] | undefined {
  const path: string[] = [];
  try {
    let at: unknown = parse(line);
    while (isSettings(at) || Array.isArray(at)) {
      const [name] = Object.keys(at);
      if (name === undefined) break;
      if (isSettings(at)) path.push(name);
      at = (at as Settings)[name];
    }
    return path;
  } catch {
    return undefined;
  }
}

/** Returns the lines of a table with one value changed, or undefined if the value is a table or has several lines. */
function changeLine(
  lines: readonly string[],
  table: TomlTable,
  { name, value, isNew, eol }: { name: string; value: unknown; isNew: boolean; eol: string },
): string[] | undefined {
  if (isSettings(value)) return undefined;
  const index = lines.findIndex(
    (line, position) => position > table.start && position < table.end && readName(line) === name,
  );
  if (index === -1 && !isNew) return undefined;
  const member = value === undefined ? [] : [stringify({ [name]: value }).trim()];
  const last = lines.slice(0, table.end).findLastIndex((line) => !isBlank(line));
  if (index === -1) return lines.toSpliced(last + 1, 0, ...member.map((each) => `${each}${eol}`));
  const line = lines[index] ?? "";
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const comment = /[ \t]+#[^"'\r\n]*(?=\r?\n?$)/.exec(line)?.[0] ?? "";
  return lines.toSpliced(index, 1, ...member.map((each) => `${indent}${each}${comment}${eol}`));
}

/** Returns the name of the member on a line, or undefined if the line is not a whole member. */
function readName(line: string): string | undefined {
  try {
    const [name, ...others] = Object.keys(parse(line));
    return others.length === 0 ? name : undefined;
  } catch {
    return undefined;
  }
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function isBlankOrComment(line: string | undefined): boolean {
  return isBlank(line) || line?.trimStart().startsWith("#") === true;
}

function endWithBlankLine(text: string, eol: string): string {
  if (text.trim() === "") return text;
  const ended = text.endsWith("\n") ? text : `${text}${eol}`;
  return /\n[ \t]*\r?\n$/.test(ended) ? ended : `${ended}${eol}`;
}

import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parse,
  parseTree,
  type Node,
  type ParseError,
} from "jsonc-parser";
import {
  applyEdits,
  findDifferences,
  getLineBreak,
  toSettings,
  UnchangeableTextError,
  type Settings,
  type TextEdit,
} from "./config-settings.js";

const OPTIONS = { allowTrailingComma: true };

/**
 * Reads JSON with comments and trailing commas.
 *
 * @throws Error if it is invalid
 */
export function readJson(text: string): Settings {
  const errors: ParseError[] = [];
  const value = parse(text, errors, OPTIONS) as unknown;
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw new Error(`syntax error in line ${line}`);
  }
  return toSettings(value);
}

/** Returns the text with a member changed, or removed if the value is undefined. Only the text of the changed members differs. */
export function setJsonMember(text: string, path: readonly string[], value: unknown): string {
  const base = text.trim() === "" ? `{}${getLineBreak(text)}` : text;
  const known = parseNode(base);
  const before = findNodeAtLocation(known, [...path]);
  return findDifferences(before && getNodeValue(before), value, path).reduce(
    (changed, difference) => setMember(changed, difference.path, difference.value),
    base,
  );
}

/** Returns the text with a value appended to the list with this name. */
export function appendJsonItem(text: string, name: string, value: unknown): string {
  const list = findNodeAtLocation(parseNode(text), [name]);
  if (list?.type !== "array") return setMember(text, [name], [value]);
  return applyEdits(
    text,
    insertChild(text, list, (format) => format(value)),
  );
}

/** Returns the text without one item of a list. */
export function removeJsonItem(text: string, name: string, index: number): string {
  const list = findNodeAtLocation(parseNode(text), [name]);
  return list?.type === "array" ? applyEdits(text, removeChild(text, list, index)) : text;
}

type Formatter = (value: unknown) => string;

function parseNode(text: string): Node {
  const node = parseTree(text, [], OPTIONS);
  if (node === undefined) throw new UnchangeableTextError("it contains no value");
  return node;
}

function setMember(text: string, path: readonly string[], value: unknown): string {
  let parent = parseNode(text);
  for (const [index, name] of path.entries()) {
    const rest = path.slice(index + 1);
    const position = (parent.children ?? []).findIndex((each) => each.children?.[0]?.value === name);
    const property = parent.children?.[position];
    const node = property?.children?.[1];
    if (node?.type === "object" && rest.length > 0) {
      parent = node;
      continue;
    }
    if (value === undefined)
      return node && rest.length === 0 ? applyEdits(text, removeChild(text, parent, position)) : text;
    const nested = rest.reduceRight((inner: unknown, each) => ({ [each]: inner }), value);
    if (property === undefined || node === undefined)
      return applyEdits(
        text,
        insertChild(
          text,
          parent,
          (format) => `${JSON.stringify(name)}:${isMinified(text, parent) ? "" : " "}${format(nested)}`,
        ),
      );
    const content = formatValue(text, parent, nested, getIndent(text, property.offset));
    return applyEdits(text, [{ offset: node.offset, length: node.length, content }]);
  }
  return text;
}

function insertChild(text: string, parent: Node, write: (format: Formatter) => string): TextEdit[] {
  const children = parent.children ?? [];
  const last = children.at(-1);
  const close = parent.offset + parent.length - 1;
  const eol = getLineBreak(text);
  if (last === undefined) {
    const outer = getIndent(text, parent.offset);
    const indent = outer + getIndentUnit(text);
    const content = write((value) => formatLines(text, value, indent));
    const start = text.slice(0, close).trimEnd().length;
    return [{ offset: start, length: close - start, content: `${eol}${indent}${content}${eol}${outer}` }];
  }
  const end = last.offset + last.length;
  const comma = findComma(text, end);
  const mark = comma === undefined ? "" : ",";
  const edits = comma === undefined ? [{ offset: end, length: 0, content: "," }] : [];
  if (isOneLine(text)) {
    const space = isMinified(text, parent) ? "" : " ";
    const content = write((value) => formatValue(text, parent, value, ""));
    return [...edits, { offset: comma ?? end, length: 0, content: `${space}${content}${mark}` }];
  }
  const isOnParentLine = !text.slice(parent.offset, last.offset).includes("\n");
  const indent = isOnParentLine
    ? getIndent(text, parent.offset) + getIndentUnit(text)
    : getIndent(text, last.offset);
  const content = write((value) => formatValue(text, parent, value, indent));
  const offset = findLineEnd(text, comma ?? end);
  return [...edits, { offset, length: 0, content: `${eol}${indent}${content}${mark}` }];
}

function removeChild(text: string, parent: Node, index: number): TextEdit[] {
  const children = parent.children ?? [];
  const child = children[index];
  if (child === undefined) return [];
  const end = child.offset + child.length;
  const comma = findComma(text, end);
  const close = parent.offset + parent.length - 1;
  const inner = text.slice(parent.offset + 1, child.offset) + text.slice(comma ?? end, close);
  if (children.length === 1 && inner.trim() === "")
    return [{ offset: parent.offset + 1, length: close - parent.offset - 1, content: "" }];
  const previous = children[index - 1];
  // If the last member has no trailing comma, the comma before it is removed, too.
  const before =
    previous && comma === undefined ? findComma(text, previous.offset + previous.length) : undefined;
  const edits = before === undefined ? [] : [{ offset: before - 1, length: 1, content: "" }];
  return [...edits, trimRemoval(text, child.offset, comma ?? end, before)];
}

/** Extends a removal to the whitespace around it: to its whole lines, or else to the space on one side. */
function trimRemoval(text: string, start: number, end: number, min = 0): TextEdit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const isFirst = text.slice(lineStart, start).trim() === "";
  const isLast = /^[ \t]*\r?(?:\n|$)/.test(text.slice(end));
  const isClosed = /^[ \t]*[}\]]/.test(text.slice(end));
  if (isFirst && (isLast || isClosed)) {
    const from = lineStart > 1 && text[lineStart - 2] === "\r" ? lineStart - 2 : Math.max(lineStart - 1, 0);
    const to = end + (isClosed ? 0 : (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0));
    return { offset: from, length: to - from, content: "" };
  }
  const spaceBefore = /[ \t]*$/.exec(text.slice(min, start))?.[0].length ?? 0;
  if (!isFirst) return { offset: start - spaceBefore, length: end - start + spaceBefore, content: "" };
  const spaceAfter = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  return { offset: start, length: end - start + spaceAfter, content: "" };
}

/** Returns the offset after the comma that follows a member, or undefined if there is none. */
function findComma(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === "," ? scanner.getPosition() : undefined;
}

/** Returns the end of a line if only a comment follows on it, and otherwise the offset. */
function findLineEnd(text: string, offset: number): number {
  const rest = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\r\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(offset));
  return offset + (rest?.[0].trimEnd().length ?? 0);
}

function isOneLine(text: string): boolean {
  return !text.trim().includes("\n");
}

function isMinified(text: string, { offset, children: [first] = [] }: Node): boolean {
  return (
    first !== undefined &&
    first.offset === offset + 1 &&
    !/:\s/.test(text.slice(first.offset, first.offset + first.length))
  );
}

/** Formats a value on one line if the whole text is one line, and otherwise on several lines with this indentation. */
function formatValue(text: string, parent: Node, value: unknown, indent: string): string {
  if (!isOneLine(text)) return formatLines(text, value, indent);
  return isMinified(text, parent)
    ? JSON.stringify(value)
    : JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
}

function formatLines(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, getIndentUnit(text)).replaceAll("\n", getLineBreak(text) + indent);
}

/** Returns the whitespace at the start of the line of an offset. */
function getIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Returns the indentation of the first member if it is on its own line, or else of the first line that starts with a name. */
function getIndentUnit(text: string): string {
  const [first] = parseNode(text).children ?? [];
  const indent = first === undefined ? "" : getIndent(text, first.offset);
  return indent === "" ? (/^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ") : indent;
}

import { ts } from "ts-morph";
import { findTags, INLINE_TAGS, isBlockTag, isConstraintTag, SINGLE_LINE_TAGS } from "./jsdoc-tags.js";

/**
 * A documentation comment. TypeScript's own reader ends the text at every `@word` after a space; ours keeps
 * running text to the letter and takes for a tag only what stands where a tag can stand.
 */
export interface DocComment {
  /** Without stars, tags and surrounding blank lines; `@remarks` is part of it. */
  text: string;
  tags: DocTag[];
}

export interface DocTag {
  /** Without the `@`. */
  name: string;
  /** What follows the name, trimmed. */
  text: string;
  /** The tag in its file, from the `@` to the end of its text. */
  file: ts.SourceFile;
  start: number;
  end: number;
  /** Constraint tags written after a `@param` belong to that parameter. */
  tags: DocTag[];
}

/** The documentation comment that stands directly before a node. */
export function readComment(node: ts.Node): DocComment | undefined {
  const file = node.getSourceFile();
  const range = commentRange(commented(node), file);
  return range && parseComment(file, range.pos, range.end);
}

/** A variable's comment stands before its statement. */
function commented(node: ts.Node): ts.Node {
  if (!ts.isVariableDeclaration(node)) return node;
  return ts.isVariableStatement(node.parent.parent) ? node.parent.parent : node;
}

function commentRange(node: ts.Node, file: ts.SourceFile): ts.CommentRange | undefined {
  const { text } = file;
  if (node.pos < 0) return undefined;
  const start = node.getStart(file);
  // `{ city: string; /** Days */ days: number }`: on one line with its member, the comment is a trailing one to TypeScript.
  const sameLine = (ts.getTrailingCommentRanges(text, node.pos) ?? []).filter(
    (range) => !/[\r\n]/.test(text.slice(range.end, start)),
  );
  const ranges = [...sameLine, ...(ts.getLeadingCommentRanges(text, node.pos) ?? [])];
  return ranges.findLast((range) => text.startsWith("/**", range.pos) && text[range.pos + 3] !== "/");
}

interface Line {
  text: string;
  /** Where `text` begins in the file. */
  start: number;
}

/** Parses one comment; `pos` and `end` include the delimiters. */
export function parseComment(file: ts.SourceFile, pos: number, end: number): DocComment {
  const reader = new CommentReader(file);
  let fence: string | undefined;
  for (const line of commentLines(file.text, pos, end)) {
    const mark = /^\s*(```+|~~~+)/.exec(line.text)?.[1];
    if (mark && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      reader.addText(line.text, line.start);
    } else if (fence !== undefined) {
      reader.addText(line.text, line.start);
    } else {
      reader.addLine(line);
    }
  }
  return reader.finish();
}

function commentLines(text: string, pos: number, end: number): Line[] {
  const inner = text.slice(pos + 3, end - 2);
  const lines: Line[] = [];
  let at = pos + 3;
  for (const raw of inner.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    const line = raw.replace(/[\r\n]+$/, "");
    const prefix = (lines.length === 0 ? /^ ?/ : /^\s*\* ?|^\s*/).exec(line)?.[0].length ?? 0;
    lines.push({ text: line.slice(prefix), start: at + prefix });
    at += raw.length;
  }
  return lines;
}

/** Sorts lines into running text and tags. */
class CommentReader {
  readonly #file: ts.SourceFile;
  readonly #description: string[] = [];
  readonly #tags: OpenTag[] = [];
  /** The tag whose text goes on; undefined while the description does. */
  #open: OpenTag | undefined;

  constructor(file: ts.SourceFile) {
    this.#file = file;
  }

  addText(text: string, start: number): void {
    const open = this.#open;
    if (open && SINGLE_LINE_TAGS.has(open.name) && !isUnfinishedJson(open)) this.#open = undefined;
    if (this.#open) {
      this.#open.lines.push(text);
      if (text.trim()) this.#open.end = start + text.trimEnd().length;
    } else {
      this.#description.push(text);
    }
  }

  addLine(line: Line): void {
    const leading = /^\s*@([A-Za-z][\w-]*)/.exec(line.text)?.[1];
    const found = findTags(line.text, leading !== undefined && isBlockTag(leading));
    const [first] = found;
    const before = first ? line.text.slice(0, first.at) : line.text;
    if (!first || before.trim()) this.addText(first ? before.trimEnd() : before, line.start);
    for (const [index, { name, at }] of found.entries()) {
      const until = found[index + 1]?.at ?? line.text.length;
      const text = line.text.slice(at + 1 + name.length, until);
      this.#begin(name, text, line.start + at, line.start + at + line.text.slice(at, until).trimEnd().length);
    }
  }

  #begin(name: string, text: string, start: number, end: number): void {
    const tag: OpenTag = { name, lines: [text], start, end };
    this.#tags.push(tag);
    this.#open = tag;
  }

  finish(): DocComment {
    const tags: DocTag[] = [];
    let text = tidy(this.#description);
    let parameter: DocTag | undefined;
    for (const open of this.#tags) {
      const tag: DocTag = {
        name: open.name,
        text: tidy(open.lines).trim(),
        file: this.#file,
        start: open.start,
        end: open.end,
        tags: [],
      };
      if (tag.name === "remarks") text = [text, tag.text].filter(Boolean).join("\n\n");
      else if (parameter && isConstraintTag(tag.name)) parameter.tags.push(tag);
      else tags.push(tag);
      if (tag.name === "param") parameter = tag;
      else if (!INLINE_TAGS.has(tag.name)) parameter = undefined;
    }
    return { text, tags };
  }
}

interface OpenTag {
  name: string;
  lines: string[];
  start: number;
  end: number;
}

/** A `@default` may hold an object or array over several lines. */
function isUnfinishedJson(tag: OpenTag): boolean {
  const text = tag.lines.join("\n").trim();
  if (tag.name !== "default" || !/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return tag.lines.length < 200;
  }
}

/** Joins lines, drops blank ones around them, and undoes the escapes a comment forces on its author. */
function tidy(lines: string[]): string {
  return lines
    .join("\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd()
    .replaceAll("*\\/", "*/")
    .replaceAll("\\@", "@");
}

import { ts } from "../project/typescript.js";
import {
  findTags,
  isBlockTag,
  isConstraintTag,
  isDescriptionTag,
  isOwnTag,
  isSchemaTag,
  isSingleLineTag,
  suggestedTag,
} from "./tags.js";

/**
 * A documentation comment. TypeScript's own reader ends the text at every `@word` after a space; ours keeps
 * running text to the letter and reads a tag only where one can be.
 */
export interface DocComment {
  /** Without stars, tags and surrounding blank lines; `@description` and `@remarks` are part of it. */
  text: string;
  tags: DocTag[];
  /** What was read as text, but looks like a tag. */
  unreadTags: UnreadTag[];
}

export interface UnreadTag {
  name: string;
  /** What it may have been meant to be. Absent where it is a tag of ours, without the text that it wants. */
  suggestion?: string;
  file: ts.SourceFile;
  start: number;
  end: number;
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

/** The documentation comment directly before a node. */
export function readComment(node: ts.Node): DocComment | undefined {
  const file = node.getSourceFile();
  const range = commentRange(commented(node), file);
  return range && parseComment(file, range.pos, range.end);
}

/** A variable's comment is before its statement. */
function commented(node: ts.Node): ts.Node {
  if (!ts.isVariableDeclaration(node)) return node;
  return ts.isVariableStatement(node.parent.parent) ? node.parent.parent : node;
}

function commentRange(node: ts.Node, file: ts.SourceFile): ts.CommentRange | undefined {
  const { text } = file;
  if (node.pos < 0) return undefined;
  const [pos, start] = spaceBefore(node, file);
  // Most nodes have no comment, and looking at the text is quicker than scanning it.
  const opening = text.indexOf("/**", pos);
  if (opening === -1 || opening >= start) return undefined;
  // `{ city: string; /** Days */ days: number }`: on one line with its member, the comment is a trailing one to TypeScript.
  const sameLine = (ts.getTrailingCommentRanges(text, pos) ?? []).filter(
    (range) => !/[\r\n]/.test(text.slice(range.end, start)),
  );
  const ranges = [...sameLine, ...(ts.getLeadingCommentRanges(text, pos) ?? [])];
  return ranges.findLast((range) => text.startsWith("/**", range.pos) && text[range.pos + 3] !== "/");
}

/** Where a node's comment is. That of the `K` of `{ /** … *\/ readonly [K in Name]: string }` is before the whole member. */
function spaceBefore(node: ts.Node, file: ts.SourceFile): [number, number] {
  const { parent } = node;
  if (parent === undefined || !ts.isMappedTypeNode(parent) || parent.typeParameter !== node)
    return [node.pos, node.getStart(file)];
  return [parent.getStart(file) + 1, parent.readonlyToken?.getStart(file) ?? node.pos - 1];
}

interface Line {
  text: string;
  /** Where `text` begins in the file. */
  start: number;
}

/** Parses one comment; `pos` and `end` include the delimiters. */
function parseComment(file: ts.SourceFile, pos: number, end: number): DocComment {
  const inside = file.text.slice(pos + 3, end - 2);
  // Most comments are one line of plain text.
  if (!/[@\r\n]/.test(inside)) return { text: tidy([inside.replace(/^ /, "")]), tags: [], unreadTags: [] };
  const parser = new CommentParser(file);
  let fence: string | undefined;
  for (const line of commentLines(file.text, pos, end)) {
    const mark = /^\s*(```+|~~~+)/.exec(line.text)?.[1];
    if (mark && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      parser.addText(line.text, line.start);
    } else if (fence !== undefined) {
      parser.addText(line.text, line.start);
    } else {
      parser.addLine(line);
    }
  }
  return parser.finish();
}

function commentLines(text: string, pos: number, end: number): Line[] {
  const raw = text.slice(pos + 3, end - 2).split(/(?<=\n)|(?<=\r)(?!\n)/);
  const lines: Line[] = [];
  let at = pos + 3;
  const starless = raw.slice(1).filter((line) => line.trim() && !/^\s*\*/.test(line));
  const margin = indentOf(starless);
  for (const each of raw) {
    const line = each.replace(/[\r\n]+$/, "");
    const prefix = lines.length === 0 ? /^ ?/ : /^\s*\* ?/;
    const cut = prefix.exec(line)?.[0].length ?? Math.min(margin, indentOf([line]));
    lines.push({ text: line.slice(cut), start: at + cut });
    at += each.length;
  }
  return lines;
}

/** The indentation that all the lines share. */
function indentOf(lines: readonly string[]): number {
  return lines.length === 0 ? 0 : Math.min(...lines.map((line) => /^[^\S\r\n]*/.exec(line)?.[0].length ?? 0));
}

/** A tag's further lines are often indented below its first; what they share is no part of the text. */
function aligned([first = "", ...others]: readonly string[]): string[] {
  const margin = indentOf(others.filter((line) => line.trim()));
  return [first, ...others.map((line) => line.slice(Math.min(margin, indentOf([line]))))];
}

/** Sorts lines into running text and tags. */
class CommentParser {
  readonly #file: ts.SourceFile;
  readonly #description: string[] = [];
  readonly #tags: OpenTag[] = [];
  readonly #unreadTags: UnreadTag[] = [];
  /** The tag whose text goes on; undefined while the description does. */
  #open: OpenTag | undefined;

  constructor(file: ts.SourceFile) {
    this.#file = file;
  }

  addText(text: string, start: number): void {
    const open = this.#open;
    if (open && isSingleLineTag(open.name) && !isUnfinishedJson(open)) this.#open = undefined;
    if (this.#open) {
      this.#open.lines.push(text);
      if (text.trim()) this.#open.end = start + text.trimEnd().length;
    } else {
      this.#description.push(text);
    }
  }

  addLine(line: Line): void {
    const leading = /^\s*@([A-Za-z][\w-]*)/.exec(line.text)?.[1];
    if (leading !== undefined && !isBlockTag(leading)) this.#suspectTypo(leading, line);
    const { found, unread } = findTags(line.text, leading !== undefined && isBlockTag(leading));
    for (const { name, at } of unread) {
      const start = line.start + at;
      this.#unreadTags.push({ name, file: this.#file, start, end: start + 1 + name.length });
    }
    const [first] = found;
    const before = first ? line.text.slice(0, first.at) : line.text;
    if (!first || before.trim()) this.addText(first ? before.trimEnd() : before, line.start);
    for (const [index, { name, at }] of found.entries()) {
      const until = found[index + 1]?.at ?? line.text.length;
      const text = line.text.slice(at + 1 + name.length, until);
      const end = line.start + at + line.text.slice(at, until).trimEnd().length;
      this.#begin({
        name,
        lines: [text],
        start: line.start + at,
        end,
        isLeading: !line.text.slice(0, at).trim(),
      });
    }
  }

  #suspectTypo(name: string, line: Line): void {
    const suggestion = suggestedTag(name);
    if (suggestion === undefined) return;
    const start = line.start + line.text.indexOf("@");
    this.#unreadTags.push({ name, suggestion, file: this.#file, start, end: start + 1 + name.length });
  }

  #begin(tag: OpenTag): void {
    this.#tags.push(tag);
    this.#open = tag;
  }

  finish(): DocComment {
    const tags: DocTag[] = [];
    const texts = [tidy(this.#description)];
    let summary = "";
    let parameter: DocTag | undefined;
    for (const open of this.#tags) {
      const tag: DocTag = {
        name: open.name,
        text: tidy(aligned(open.lines)).trim(),
        file: this.#file,
        start: open.start,
        end: open.end,
        tags: [],
      };
      if (tag.name === "summary") summary = tag.text;
      else if (isDescriptionTag(tag.name)) texts.push(tag.text);
      else if (parameter && isAboutParameter(open)) parameter.tags.push(tag);
      else tags.push(tag);
      if (tag.name === "param") parameter = tag;
      else if (!isOwnTag(tag.name)) parameter = undefined;
    }
    return { text: texts.filter(Boolean).join("\n\n") || summary, tags, unreadTags: this.#unreadTags };
  }
}

/** Behind a `@param`, a constraint is about the parameter; an `@example` only on the same line: others show calls. */
function isAboutParameter({ name, isLeading }: OpenTag): boolean {
  return isConstraintTag(name) || (!isLeading && isSchemaTag(name));
}

interface OpenTag {
  name: string;
  /** It is the first on its line. */
  isLeading: boolean;
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
function tidy(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd()
    .replaceAll("*\\/", "*/")
    .replaceAll("\\@", "@");
}

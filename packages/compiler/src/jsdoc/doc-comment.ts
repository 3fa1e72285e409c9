import { ts } from "../typescript/typescript.js";
import { type Line, removeSharedIndent, splitLines, tidy } from "./comment-lines.js";
import { findCommentRanges, findTrailingComments } from "./comment-ranges.js";
import { findPlainTags } from "./plain-comments.js";
import {
  findTags,
  getTagName,
  isBlockTag,
  isDescriptionTag,
  isTenonTag,
  isParameterTag,
  isSchemaTag,
  isSingleLineTag,
  isSingleTag,
  isUnsupportedTag,
  suggestTag,
} from "./tags.js";

/**
 * A documentation comment. TypeScript's own parser ends the text at every `@word` after a space. This one keeps
 * running text verbatim, and reads a tag only where one can occur.
 */
export interface DocComment {
  /** Without stars, tags, and surrounding blank lines; `@description` and `@remarks` are part of it. */
  text: string;
  tags: DocTag[];
  /** Tags without an effect, and text that looks like a tag. */
  ignoredTags: IgnoredTag[];
}

/** A tag without an effect, or text that looks like a tag. */
export interface IgnoredTag {
  name: string;
  /**
   * The reason why the tag has no effect: it follows other text, it has no meaning here, a later tag of the same comment
   * replaces it, another comment follows, its comment follows the declaration, or its comment is not documentation.
   */
  reason: "ignored" | "unknown" | "replaced" | "earlier" | "trailing" | "plain";
  /** The tag that was probably intended in place of an unknown one. */
  suggestion?: string;
  file: ts.SourceFile;
  start: number;
  end: number;
}

/** A tag of a documentation comment. */
export interface DocTag {
  /** Without the `@`. */
  name: string;
  /** The text after the name, trimmed. */
  text: string;
  /** The tag in its file, from the `@` to the end of its text. */
  file: ts.SourceFile;
  start: number;
  end: number;
  /** Constraint tags written after a `@param` belong to that parameter. */
  tags: DocTag[];
}

/**
 * Reads the documentation comment directly before a node. Of several, only the last one counts, as in TypeScript. For a
 * member that `@property` declares in a comment of JavaScript, reads the description there.
 */
export function readComment(node: ts.Node): DocComment | undefined {
  if (ts.isJSDocPropertyTag(node)) return readPropertyTag(node);
  const file = node.getSourceFile();
  const earlier = findCommentRanges(node, file);
  const range = earlier.pop();
  const comment = range && parseComment(file, range.pos, range.end);
  const lost = [
    ...findLostTags(earlier, "earlier", file),
    ...findLostTags(findTrailingComments(node, file), "trailing", file),
    ...findPlainTags(node, file),
  ];
  if (lost.length === 0) return comment;
  const { text, tags, ignoredTags } = comment ?? { text: "", tags: [], ignoredTags: [] };
  return { text, tags, ignoredTags: [...lost, ...ignoredTags] };
}

function readPropertyTag({ comment }: ts.JSDocPropertyTag): DocComment {
  const lines = (ts.getTextOfJSDocComment(comment) ?? "").replace(/^-\s+/, "").split(/\r?\n/);
  return { text: tidy(removeSharedIndent(lines)), tags: [], ignoredTags: [] };
}

/** Tags of a comment about the whole file, which may be followed by the comment of its first declaration. */
const FILE_TAGS: ReadonlySet<string> = new Set([
  "file",
  "fileoverview",
  "module",
  "overview",
  "packageDocumentation",
]);

/** Returns Tenon's tags in comments that have no effect. */
function findLostTags(
  ranges: readonly ts.CommentRange[],
  reason: "earlier" | "trailing",
  file: ts.SourceFile,
): IgnoredTag[] {
  const comments = ranges.map(({ pos, end }) => parseComment(file, pos, end).tags);
  return comments
    .filter((tags) => !tags.some(({ name }) => FILE_TAGS.has(name)))
    .flat()
    .flatMap((tag) => [tag, ...tag.tags])
    .flatMap(({ name, start, end }) => (isTenonTag(name) ? [{ name, reason, file, start, end }] : []));
}

/** Parses one comment; `pos` and `end` include the delimiters. */
export function parseComment(file: ts.SourceFile, pos: number, end: number): DocComment {
  const inside = file.text.slice(pos + 3, end - 2);
  // Most comments are one line of plain text.
  if (!/[@\r\n]/.test(inside))
    return { text: tidy([inside.replace(/^[ \t]/, "")]), tags: [], ignoredTags: [] };
  const parser = new CommentParser(file);
  let fence: string | undefined;
  for (const line of splitLines(file.text, pos, end)) {
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

/** Sorts lines into running text and tags. */
class CommentParser {
  readonly #file: ts.SourceFile;
  readonly #description: string[] = [];
  readonly #tags: OpenTag[] = [];
  readonly #ignoredTags: IgnoredTag[] = [];
  /** The tag whose text continues. Undefined within the description. */
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

  addLine(written: Line): void {
    const line = this.#withoutInheritDoc(written);
    const leading = /^\s*@([A-Za-z][\w-]*)/.exec(line.text)?.[1];
    if (leading !== undefined && !isBlockTag(leading)) this.#suspectTypo(leading, line);
    const { found, ignored } = findTags(line.text, leading !== undefined && isBlockTag(leading));
    for (const { name, at } of ignored) {
      const start = line.start + at;
      const end = start + 1 + name.length;
      this.#ignoredTags.push({ name, reason: "ignored", file: this.#file, start, end });
    }
    const [first] = found;
    const before = first ? line.text.slice(0, first.at) : line.text;
    if (!first || before.trim()) this.addText(first ? before.trimEnd() : before, line.start);
    for (const [index, { name, at }] of found.entries()) {
      const until = found[index + 1]?.at ?? line.text.length;
      const text = line.text.slice(at + 1 + name.length, until);
      const end = line.start + at + line.text.slice(at, until).trimEnd().length;
      this.#begin({
        name: getTagName(name),
        // JSDoc has no colon after the name, as in `@title: City`, so it is not part of the value.
        lines: [text.replace(/^:(?=\s|$)/, "")],
        start: line.start + at,
        end,
        isLeading: !line.text.slice(0, at).trim(),
      });
    }
  }

  /** Removes `{@inheritDoc}` before other text. Members inherit what they lack anyway, but nothing else can be inherited. */
  #withoutInheritDoc({ text, start }: Line): Line {
    const cut = /^\s*\{@inherit[dD]oc\s*\}\s*/.exec(text)?.[0].length ?? 0;
    const rest = { text: text.slice(cut), start: start + cut };
    const [, name] = /(?<!`)\{@(inherit[dD]oc)\b/.exec(rest.text) ?? [];
    if (name !== undefined) this.#addUnknown(name, rest);
    return rest;
  }

  #suspectTypo(name: string, line: Line): void {
    const suggestion = suggestTag(name);
    if (suggestion !== undefined || isUnsupportedTag(name)) this.#addUnknown(name, line, suggestion);
  }

  #addUnknown(name: string, line: Line, suggestion?: string): void {
    const start = line.start + line.text.indexOf(`@${name}`);
    const end = start + 1 + name.length;
    this.#ignoredTags.push({
      name,
      reason: "unknown",
      ...(suggestion !== undefined && { suggestion }),
      file: this.#file,
      start,
      end,
    });
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
        text: tidy(removeSharedIndent(open.lines)).trim(),
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
      else if (!isTenonTag(tag.name)) parameter = undefined;
    }
    const replaced = [tags, ...tags.map((tag) => tag.tags)].flatMap((each) => findReplacedTags(each));
    return {
      text: texts.filter(Boolean).join("\n\n") || summary,
      tags,
      ignoredTags: [...this.#ignoredTags, ...replaced],
    };
  }
}

/** Returns whether a tag after a `@param` concerns the parameter: it is on the same line or a later one. */
function isAboutParameter({ name, isLeading, lines }: OpenTag): boolean {
  return isLeading ? isParameterTag(name, lines.join("\n")) : isSchemaTag(name);
}

/** Returns the tags whose value differs from that of a later tag with the same name. */
function findReplacedTags(tags: readonly DocTag[]): IgnoredTag[] {
  return tags.flatMap(({ name, text, file, start, end }, index) => {
    const isReplaced =
      isSingleTag(name) && tags.slice(index + 1).some((later) => later.name === name && later.text !== text);
    return isReplaced ? [{ name, reason: "replaced" as const, file, start, end }] : [];
  });
}

interface OpenTag {
  name: string;
  /** Whether it is the first tag on its line. */
  isLeading: boolean;
  lines: string[];
  start: number;
  end: number;
}

/** Returns whether a tag is a `@default` whose object or array continues on the next line. */
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

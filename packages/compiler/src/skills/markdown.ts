/** Inline code in Markdown, such as `` `forecast` ``, with the text between it and its neighbors. */
export interface InlineCode {
  kind: "code";
  text: string;
  /** The offsets of the text in the file. */
  start: number;
  end: number;
  /** The text of the paragraph between it and the previous code, and between it and the next. */
  before: string;
  after: string;
  /** Identifies the paragraph. */
  paragraph: number;
}

/** The target of a link or an image. */
export interface LinkTarget {
  kind: "link";
  text: string;
  start: number;
  end: number;
}

const FENCE = /^ {0,3}(?:>\s?)*(`{3,}|~{3,})/;
const CODE = /(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/g;
const LINK = /\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()]*)?))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*<?([^\s<>]+)>?/gm;
const COMMENT = /<!--[^]*?-->/g;

/**
 * Finds inline code and the targets of links. Code blocks and comments are skipped.
 *
 * @param start the offset at which the Markdown starts, after frontmatter
 */
export function scanMarkdown(text: string, start: number): (InlineCode | LinkTarget)[] {
  return findParagraphs(text, start).flatMap(({ from, to }) => {
    const paragraph = text.slice(from, to).replaceAll(COMMENT, (comment) => " ".repeat(comment.length));
    const codes = [...paragraph.matchAll(CODE)];
    const found = codes.map((match, index): InlineCode => {
      const [whole, ticks = "", inside = ""] = match;
      const previous = codes[index - 1];
      const leading = inside.length - inside.trimStart().length;
      const offset = from + match.index + ticks.length + leading;
      const content = inside.trim();
      return {
        kind: "code",
        text: content,
        start: offset,
        end: offset + content.length,
        before: trimEmphasis(
          paragraph.slice(previous ? previous.index + previous[0].length : 0, match.index),
        ),
        after: trimEmphasis(paragraph.slice(match.index + whole.length, codes[index + 1]?.index)),
        paragraph: from,
      };
    });
    const prose = paragraph.replaceAll(CODE, (code) => " ".repeat(code.length));
    const links = [...prose.matchAll(LINK), ...prose.matchAll(DEFINITION)].flatMap((match): LinkTarget[] => {
      const target = match[1] ?? match[2] ?? "";
      const offset = from + match.index + match[0].lastIndexOf(target);
      return target === ""
        ? []
        : [{ kind: "link", text: target, start: offset, end: offset + target.length }];
    });
    return [...found, ...links].sort((a, b) => a.start - b.start);
  });
}

/** Removes the markers of emphasis around code, as in ``**`forecast`**``. */
function trimEmphasis(text: string): string {
  return text.replaceAll(/^[*_]+|[*_]+$/g, "");
}

/** Finds the paragraphs: runs of lines without empty lines and without code blocks. */
function findParagraphs(text: string, start: number): { from: number; to: number }[] {
  const paragraphs: { from: number; to: number }[] = [];
  let fence: string | undefined;
  let from: number | undefined;
  let isComment = false;
  let isInList = false;
  const close = (to: number): void => {
    if (from !== undefined) paragraphs.push({ from, to });
    from = undefined;
  };
  let offset = start;
  for (const line of text.slice(start).split(/(?<=\n)/)) {
    const marker = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker?.startsWith(fence) && line.trim().endsWith(marker)) fence = undefined;
    } else if (isComment) {
      isComment = !line.includes("-->");
    } else if (marker !== undefined) {
      close(offset);
      fence = marker;
    } else if (line.trim() === "") {
      close(offset);
    } else if (line.lastIndexOf("<!--") > line.lastIndexOf("-->")) {
      close(offset);
      isComment = true;
    } else if (from !== undefined || isInList || !/^(?: {4}|\t)/.test(line)) {
      const isItem = /^\s*(?:[-*+]|\d+[.)])\s/.test(line);
      // The further paragraphs of an item are indented, as code blocks are elsewhere.
      isInList = isItem || (isInList && (from !== undefined || /^\s/.test(line)));
      // Each item of a list and each heading is a separate paragraph.
      if (isItem || /^\s*#{1,6}\s/.test(line)) close(offset);
      from ??= offset;
    }
    offset += line.length;
  }
  close(offset);
  return paragraphs;
}

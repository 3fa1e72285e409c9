/** A fenced code block of a page. */
export interface Block {
  /** Language, such as `ts`, or an empty string. */
  readonly language: string;
  /** Marks after the language: `name`, `name=value`, or `name="several words"`. */
  readonly marks: ReadonlyMap<string, string>;
  readonly code: string;
  /** Position of its code in the text of the page. */
  readonly start: number;
  readonly end: number;
  /** Line number, starting with 1. */
  readonly line: number;
  /** Declarations in the comment `<!-- given: … -->` before the block, of names that it uses and does not show. */
  readonly given: string;
}

const FENCE = /^(?:<!-- given:\s*([\s\S]*?)\s*-->\n+)?(`{3,})([\w-]*)([^\n]*)\n([\s\S]*?)^\2$/gm;
const MARK = /([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g;

/** Returns the fenced blocks of a page, in order. */
export function findBlocks(text: string): Block[] {
  return [...text.matchAll(FENCE)].map((match) => {
    const [whole, given = "", fence = "", language = "", info = "", code = ""] = match;
    const end = match.index + whole.length - fence.length;
    const start = end - code.length;
    const marks = new Map([...info.matchAll(MARK)].map(([, name = "", a, b]) => [name, a ?? b ?? ""]));
    return { language, marks, code, start, end, given, line: text.slice(0, start).split("\n").length };
  });
}

/** Returns the page with other code in some of its blocks. */
export function withCode(text: string, replaced: ReadonlyMap<Block, string>): string {
  return [...replaced]
    .sort(([a], [b]) => b.start - a.start)
    .reduce((all, [{ start, end }, code]) => all.slice(0, start) + code + all.slice(end), text);
}

/** Returns the page without its blocks. */
export function removeBlocks(text: string): string {
  return text.replaceAll(FENCE, "");
}

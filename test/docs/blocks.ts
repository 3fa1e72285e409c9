/** A fenced block of a page. */
export interface Block {
  /** Such as `ts`; empty where there is none. */
  readonly language: string;
  /** What stands behind the language: `name`, `name=value` or `name="some words"`. */
  readonly marks: ReadonlyMap<string, string>;
  readonly code: string;
  /** Where its code is in the text of the page. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** What the comment `<!-- given: … -->` right before it declares: names that the block uses and does not show. */
  readonly given: string;
}

const FENCE = /^(?:<!-- given:\s*([\s\S]*?)\s*-->\n+)?(`{3,})([\w-]*)([^\n]*)\n([\s\S]*?)^\2$/gm;
const MARK = /([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g;

/** The fenced blocks of a page, in order. */
export function blocksOf(text: string): Block[] {
  return [...text.matchAll(FENCE)].map((match) => {
    const [whole, given = "", fence = "", language = "", info = "", code = ""] = match;
    const end = match.index + whole.length - fence.length;
    const start = end - code.length;
    const marks = new Map([...info.matchAll(MARK)].map(([, name = "", a, b]) => [name, a ?? b ?? ""]));
    return { language, marks, code, start, end, given, line: text.slice(0, start).split("\n").length };
  });
}

/** The page with other code in some of its blocks. */
export function withCode(text: string, replaced: ReadonlyMap<Block, string>): string {
  return [...replaced]
    .sort(([a], [b]) => b.start - a.start)
    .reduce((all, [{ start, end }, code]) => all.slice(0, start) + code + all.slice(end), text);
}

/** The page without its blocks, so that only what people wrote is left. */
export function proseOf(text: string): string {
  return text.replaceAll(FENCE, "");
}

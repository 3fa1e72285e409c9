import { CHARACTERS_PER_TOKEN, type ToolResult } from "@tenon/runtime/manifest";

/** The size of a tool's result, as models read it. */
export interface ResultSize {
  /** Number of characters in the larger of text and data: clients pass one of them to the model, and some both. */
  readonly characters: number;
  /** Estimated number of tokens. */
  readonly tokens: number;
  /** Whether the text is the JSON of the data, so that the same content is sent twice. */
  readonly isSentTwice: boolean;
}

/**
 * Measures the result of a tool. Images and audio do not count.
 *
 * @example
 * measureResult({ content: [{ type: "text", text: "[1]" }], structuredContent: [1] })
 * // { characters: 3, tokens: 1, isSentTwice: true }
 */
export function measureResult({ content = [], structuredContent }: Partial<ToolResult>): ResultSize {
  const texts = content.flatMap((block) => (block.type === "text" ? block.text : []));
  const text = texts.reduce((sum, { length }) => sum + length, 0);
  const data = structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length;
  const characters = Math.max(text, data);
  return {
    characters,
    tokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
    isSentTwice: structuredContent !== undefined && texts.some((each) => isJsonText(each, structuredContent)),
  };
}

/** Describes the size of a result, such as "12,345 characters, about 3,087 tokens, sent twice: as text and as data". */
export function formatResultSize({ characters, tokens, isSentTwice }: ResultSize): string {
  const size = `${format(characters)} characters, about ${format(tokens)} tokens`;
  return isSentTwice ? `${size}, sent twice: as text and as data` : size;
}

/**
 * Returns whether text is the JSON of a value, which older revisions wrap as `{ result }`.
 *
 * @param convert applies to the parsed text the conversion that was applied to the value
 */
export function isJsonText(
  text: string,
  value: unknown,
  convert = (parsed: unknown): unknown => parsed,
): boolean {
  try {
    const normal = JSON.stringify(convert(JSON.parse(text)));
    return normal === JSON.stringify(value) || normal === JSON.stringify(Object(value)["result"]);
  } catch {
    return false;
  }
}

function format(number: number): string {
  return number.toLocaleString("en-US");
}

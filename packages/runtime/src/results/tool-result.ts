/**
 * From what a tool returns to a `CallToolResult`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import { isContent, isOfKnownKind } from "../protocol/content-kinds.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import { projectContent, wrapsResults } from "../protocol/projection.js";
import type { Revision } from "../protocol/revisions.js";
import type { Content, TextContent, ToolResult } from "../protocol/specification.js";
import { checkList, contentList, keepBlock } from "./content-check.js";
import { jsonText } from "./json-text.js";
import { checkedData, OutputError, type OutputSchema, type RefuseOutput } from "./output-check.js";

/** Of a tool that returns nothing. */
export const NO_CONTENT: ToolResult = { content: [] };

/** Of a tool that returns text. */
export function textResult(value: unknown): ToolResult {
  if (value === undefined || value === null) return NO_CONTENT;
  return new TextResult(typeof value === "string" ? value : jsonText(value));
}

/** A result of one text, which has a class so that its JSON can be written at once: see `resultText`. */
export class TextResult implements ToolResult {
  readonly content: [TextContent];

  constructor(text: string) {
    this.content = [{ type: "text", text }];
  }
}

/** A failed tool: a result, so that the model reads it and can do better. */
export function toolErrorResult(message: string): ToolResult {
  return { content: [textBlock(message)], isError: true };
}

/** A result of data and its JSON as text, which has a class so that the JSON is made once: see `resultText`. */
export class StructuredResult implements ToolResult {
  readonly content: [TextContent];

  /**
   * @param structuredContent JSON alone
   * @param text its text
   */
  constructor(
    readonly structuredContent: unknown,
    text: string = JSON.stringify(structuredContent),
  ) {
    this.content = [{ type: "text", text }];
  }
}

/** How a tool's data becomes JSON, and what it is held to. */
export interface DataPlan {
  /** The listed output schema, in its newest form. */
  readonly listed: JsonSchema | undefined;
  /** The schema that data has to fit, where there is one. */
  readonly exact: OutputSchema | undefined;
  /** Turns data into the JSON that stands for it, as far as types tell. */
  write(value: unknown): unknown;
}

/** Of a tool that returns data. */
export function structuredResult(
  value: unknown,
  { listed, exact, write }: DataPlan,
  revision: Revision,
  refuse: RefuseOutput | undefined,
): ToolResult {
  const written = write(value);
  const natural = exact ? checkedData(written, exact, refuse) : written;
  if (revision.structuredContent === "none") return { content: [textBlock(JSON.stringify(natural))] };
  // Where no schema says so, the value decides.
  const wraps = wrapsResults(listed ?? { type: isObject(natural) ? "object" : "null" }, revision);
  const structuredContent = wraps ? { result: natural } : natural;
  return new StructuredResult(structuredContent);
}

/** Of a tool that returns `Content`, a list of it, or a whole `ToolResult`. */
export function contentResult(
  value: unknown,
  { listed, exact, write }: DataPlan,
  revision: Revision,
  refuse: RefuseOutput | undefined,
): ToolResult {
  const whole: Partial<ToolResult> = hasContentList(value) ? value : {};
  const blocks = asBlocks(whole.content ?? value);
  const { structuredContent, isError, _meta } = whole;
  if (refuse) checkList(blocks, contentList, "content", refuse);
  const written = structuredContent === undefined ? undefined : write(structuredContent);
  if (refuse && exact && written === undefined && isError !== true) refuse(new OutputError(NO_DATA));
  const json = exact && written !== undefined ? checkedData(written, exact, refuse) : written;
  const result: ToolResult = { content: blocks.map((block) => projectContent(keepBlock(block), revision)) };
  if (json !== undefined && revision.structuredContent !== "none") {
    const wraps =
      revision.structuredContent === "object" &&
      (!isObject(json) || (listed !== undefined && wrapsResults(listed, revision)));
    result.structuredContent = wraps ? { result: json } : json;
  }
  if (isError === true) result.isError = true;
  if (_meta !== undefined) result._meta = _meta;
  return result;
}

/**
 * Of middleware, in place of the tool's own result. Where it changed the data and left the text, the text is that of the
 * data: what was taken out of one would still be read in the other.
 *
 * @param own the tool's, if it was called
 */
export function replacedResult(
  result: unknown,
  own: unknown,
  plan: DataPlan,
  revision: Revision,
  refuse: RefuseOutput | undefined,
): ToolResult {
  const { content, structuredContent, isError, _meta } = result as ToolResult;
  const keepsText = own instanceof StructuredResult && content === own.content;
  if (!keepsText || structuredContent === undefined || isError === true)
    return contentResult(result, plan, revision, refuse);
  const replaced = structuredResult(structuredContent, plan, revision, refuse);
  return _meta === undefined ? replaced : { ...replaced, _meta };
}

const NO_DATA = "The tool has an output schema, but returned no `structuredContent`.";

/** Of a tool that returns either data or content: what is content, the value tells. */
export function mixedResult(
  value: unknown,
  plan: DataPlan,
  revision: Revision,
  refuse: RefuseOutput | undefined,
): ToolResult {
  return isContentValue(value)
    ? contentResult(value, plan, revision, refuse)
    : structuredResult(value, plan, revision, refuse);
}

/** Of a tool whose declared type says too little: the value decides. */
export function undeclaredResult(
  value: unknown,
  plan: DataPlan,
  revision: Revision,
  refuse: RefuseOutput | undefined,
): ToolResult {
  const isText = value === undefined || value === null || typeof value === "string";
  return isText ? textResult(value) : mixedResult(value, plan, revision, refuse);
}

/** A content block, a list that has some and nothing besides but text, or a whole result. */
function isContentValue(value: unknown): boolean {
  if (!Array.isArray(value)) return isToolResult(value) || isContent(value);
  return value.some(isContent) && value.every((each) => typeof each === "string" || isContent(each));
}

function textBlock(text: string): Content {
  return { type: "text", text };
}

function asBlocks(value: unknown): Content[] {
  if (value === undefined || value === null) return [];
  const blocks = (Array.isArray(value) ? value : [value]) as (Content | string)[];
  return blocks.map((block) => (typeof block === "string" ? textBlock(block) : block));
}

function hasContentList(value: unknown): value is ToolResult {
  return isObject(value) && Array.isArray(value.content);
}

function isToolResult(value: unknown): value is ToolResult {
  return hasContentList(value) && value.content.every(isOfKnownKind);
}

/**
 * From what a tool returns to a `CallToolResult`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import { isContent } from "../protocol/content-kinds.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import { projectContent, wrapsResults } from "../protocol/projection.js";
import type { Revision } from "../protocol/revisions.js";
import type { Content, TextContent, ToolResult } from "../protocol/specification.js";
import { jsonText, plainJson } from "./json-text.js";

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

  /** @param structuredContent JSON alone */
  constructor(readonly structuredContent: unknown) {
    this.content = [{ type: "text", text: JSON.stringify(structuredContent) }];
  }
}

/**
 * Of a tool that returns data.
 *
 * @param value JSON, or what `jsonText` makes it of
 * @param schema the listed output schema, in its newest form
 */
export function structuredResult(
  value: unknown,
  schema: JsonSchema | undefined,
  revision: Revision,
): ToolResult {
  const natural = plainJson(value);
  if (revision.structuredContent === "none") return { content: [textBlock(JSON.stringify(natural))] };
  // Where no schema says so, the value decides.
  const wraps = wrapsResults(schema ?? { type: isObject(natural) ? "object" : "null" }, revision);
  const structuredContent = wraps ? { result: natural } : natural;
  return new StructuredResult(structuredContent);
}

/**
 * Of a tool that returns `Content`, a list of it, or a whole `ToolResult`.
 *
 * @param write turns data into the JSON that stands for it
 */
export function contentResult(
  value: unknown,
  schema: JsonSchema | undefined,
  revision: Revision,
  write: (value: unknown) => unknown,
): ToolResult {
  if (!hasContentList(value)) return { content: projectBlocks(asBlocks(value), revision) };
  const { content, structuredContent, isError, _meta } = value;
  const result: ToolResult = { content: projectBlocks(content, revision) };
  if (structuredContent !== undefined && revision.structuredContent !== "none") {
    const json = plainJson(write(structuredContent));
    const wraps =
      revision.structuredContent === "object" &&
      (!isObject(json) || (schema !== undefined && wrapsResults(schema, revision)));
    result.structuredContent = wraps ? { result: json } : json;
  }
  if (isError === true) result.isError = true;
  if (_meta !== undefined) result._meta = _meta;
  return result;
}

/** Of a tool that returns either data or content: what is content, the value tells. */
export function mixedResult(
  value: unknown,
  schema: JsonSchema | undefined,
  revision: Revision,
  write: (value: unknown) => unknown,
): ToolResult {
  return isContentValue(value)
    ? contentResult(value, schema, revision, write)
    : structuredResult(write(value), schema, revision);
}

/** Of a tool whose declared type says too little: the value decides. */
export function undeclaredResult(
  value: unknown,
  schema: JsonSchema | undefined,
  revision: Revision,
  write: (value: unknown) => unknown,
): ToolResult {
  const isText = value === undefined || value === null || typeof value === "string";
  return isText ? textResult(value) : mixedResult(value, schema, revision, write);
}

/** A content block, a list that has some and nothing besides but text, or a whole result. */
export function isContentValue(value: unknown): boolean {
  if (!Array.isArray(value)) return isToolResult(value) || isContent(value);
  return value.some(isContent) && value.every((each) => typeof each === "string" || isContent(each));
}

function textBlock(text: string): Content {
  return { type: "text", text };
}

function projectBlocks(blocks: readonly (Content | string)[], revision: Revision): Content[] {
  return blocks.map((block) =>
    projectContent(typeof block === "string" ? textBlock(block) : block, revision),
  );
}

function asBlocks(value: unknown): (Content | string)[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]) as (Content | string)[];
}

export function hasContentList(value: unknown): value is ToolResult {
  return isObject(value) && Array.isArray(value.content);
}

function isToolResult(value: unknown): value is ToolResult {
  return hasContentList(value) && value.content.every(isContent);
}

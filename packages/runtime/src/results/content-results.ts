/**
 * Results of tools that return content themselves, and of tools that do not say what they return.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import { isContent } from "../protocol/content-kinds.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { projectContent, wrapsResults } from "../protocol/projection.js";
import type { Content, ToolResult } from "../protocol/specification.js";
import { jsonText, NO_RESULT, type ResultMembers, structuredResult, textResult } from "./result-members.js";
import type { Revision } from "../protocol/revisions.js";

/** Of a tool that returns `Content`, a list of it, or a whole `ToolResult`. */
export function contentResult(
  value: unknown,
  schema: JsonSchema | undefined,
  revision: Revision,
): ResultMembers {
  if (!hasContentList(value)) return { members: `"content":${contentText(asBlocks(value), revision)}` };
  let members = `"content":${contentText(value.content, revision)}`;
  if (value.structuredContent !== undefined && revision.structuredContent !== "none") {
    const json = jsonText(value.structuredContent);
    const wraps =
      revision.structuredContent === "object" &&
      (!isObject(value.structuredContent) || (schema !== undefined && wrapsResults(schema, revision)));
    members += `,"structuredContent":${wraps ? `{"result":${json}}` : json}`;
  }
  if (value.isError === true) members += ',"isError":true';
  return value._meta === undefined ? { members } : { members, meta: value._meta };
}

/**
 * Of a tool whose declared type says nothing: the value decides.
 *
 * @param write turns data into the JSON that stands for it
 */
export function undeclaredResult(
  value: unknown,
  schema: JsonSchema | undefined,
  revision: Revision,
  write: (value: unknown) => unknown,
): ResultMembers {
  if (value === undefined || value === null) return NO_RESULT;
  if (typeof value === "string") return textResult(value);
  const isContentList = Array.isArray(value) && value.length > 0 && value.every(isContent);
  const isResult = isToolResult(value) || isContent(value) || isContentList;
  return isResult ? contentResult(value, schema, revision) : structuredResult(write(value), schema, revision);
}

function contentText(blocks: readonly (Content | string)[], revision: Revision): string {
  return JSON.stringify(
    blocks.map((block) =>
      projectContent(typeof block === "string" ? { type: "text", text: block } : block, revision),
    ),
  );
}

function asBlocks(value: unknown): (Content | string)[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]) as (Content | string)[];
}

function hasContentList(value: unknown): value is ToolResult {
  return isObject(value) && Array.isArray(value.content);
}

function isToolResult(value: unknown): value is ToolResult {
  return hasContentList(value) && value.content.every(isContent);
}

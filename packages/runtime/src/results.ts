/**
 * From what a handler returns to the members of a result, as JSON text.
 * @module
 */
import { base64, isBytes } from "./conversion.js";
import { isObject } from "./jsonrpc.js";
import type { JsonSchema } from "./json-schema.js";
import type { Output } from "./manifest.js";
import { projectContent, wrapsResults } from "./projection.js";
import type { Content, Meta, PromptMessage, ResourceContents, Role, ToolResult } from "./protocol.js";
import type { Revision } from "./revisions.js";

/** The members of a result as JSON text without braces, and the `_meta` that goes with them. */
export interface ResultMembers {
  members: string;
  meta?: Meta;
}

const CONTENT_MEMBER: Record<Content["type"], string> = {
  text: "text",
  image: "data",
  audio: "data",
  resource: "resource",
  resource_link: "uri",
};

const NO_CONTENT = '"content":[]';

/**
 * The members of a `CallToolResult`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @param kind What the tool declares to return.
 * @param outputSchema The listed schema, in its newest form.
 * @param write Turns the value into the JSON that stands for it.
 */
export function toolResult(
  value: unknown,
  kind: Output["kind"],
  outputSchema: JsonSchema | undefined,
  revision: Revision,
  write: (value: unknown) => unknown,
): ResultMembers {
  switch (kind === "unknown" ? kindOf(value) : kind) {
    case "none":
      return { members: NO_CONTENT };
    case "text":
      if (value === undefined || value === null) return { members: NO_CONTENT };
      return { members: textMember(typeof value === "string" ? value : jsonText(value)) };
    case "structured":
      return { members: structuredMembers(write(value), outputSchema, revision) };
    case "content":
      return contentResult(value, outputSchema, revision);
  }
}

/** A failed tool: a result, so that the model reads it and can do better. */
export function toolErrorMembers(message: string): string {
  return `${textMember(message)},"isError":true`;
}

function textMember(text: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
}

function structuredMembers(value: unknown, schema: JsonSchema | undefined, revision: Revision): string {
  const natural = jsonText(value);
  if (revision.structuredContent === "none") return textMember(natural);
  const wraps =
    schema === undefined
      ? revision.structuredContent === "object" && !isObject(value)
      : wrapsResults(schema, revision);
  const json = wraps ? `{"result":${natural}}` : natural;
  return `${textMember(json)},"structuredContent":${json}`;
}

function contentResult(value: unknown, schema: JsonSchema | undefined, revision: Revision): ResultMembers {
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

/** What a value is when the declared type does not say. */
function kindOf(value: unknown): "text" | "structured" | "content" | "none" {
  if (value === undefined || value === null) return "none";
  if (typeof value === "string") return "text";
  const isContentList = Array.isArray(value) && value.length > 0 && value.every(isContent);
  return isToolResult(value) || isContent(value) || isContentList ? "content" : "structured";
}

function hasContentList(value: unknown): value is ToolResult {
  return isObject(value) && Array.isArray(value.content);
}

function isToolResult(value: unknown): value is ToolResult {
  return hasContentList(value) && value.content.every(isContent);
}

function isContent(value: unknown): value is Content {
  if (!isObject(value) || typeof value.type !== "string") return false;
  return (
    Object.hasOwn(CONTENT_MEMBER, value.type) &&
    value[CONTENT_MEMBER[value.type as Content["type"]]] !== undefined
  );
}

/**
 * The members of a `GetPromptResult`. A string or a content block is one message of the user.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export function promptResult(
  value: unknown,
  description: string | undefined,
  revision: Revision,
): ResultMembers {
  const whole = isObject(value) && Array.isArray(value.messages) ? value : undefined;
  const given = whole === undefined ? value : (whole.messages as unknown[]);
  const messages = (Array.isArray(given) ? given : [given]).map((message) => toMessage(message, revision));
  const about = typeof whole?.description === "string" ? whole.description : description;
  const members =
    (about === undefined ? "" : `"description":${JSON.stringify(about)},`) +
    `"messages":${JSON.stringify(messages)}`;
  return isObject(whole?._meta) ? { members, meta: whole._meta } : { members };
}

function toMessage(message: unknown, revision: Revision): PromptMessage {
  const isWhole = isObject(message) && typeof message.role === "string" && message.content !== undefined;
  const role = isWhole ? (message.role as Role) : "user";
  const content = isWhole ? message.content : message;
  const block: Content = isContent(content)
    ? content
    : { type: "text", text: typeof content === "string" ? content : jsonText(content) };
  return { role, content: projectContent(block, revision) };
}

/**
 * The members of a `ReadResourceResult`, or `undefined` when the handler found nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @param uri What the client asked for.
 */
export function resourceResult(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
  revision: Revision,
): ResultMembers | undefined {
  if (value === undefined || value === null) return undefined;
  const whole = isObject(value) && Array.isArray(value.contents) && value.contents.every(isResourceContents);
  const contents = whole ? (value.contents as ResourceContents[]) : toContents(value, uri, mimeType);
  if (contents.length === 0) return undefined;
  const projected = revision.lacks.content.includes("_meta") ? contents.map(withoutMeta) : contents;
  const members = `"contents":${JSON.stringify(projected)}`;
  return whole && isObject(value._meta) ? { members, meta: value._meta } : { members };
}

function toContents(value: unknown, uri: string, mimeType: string | undefined): ResourceContents[] {
  if (isResourceContents(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isResourceContents)) return value;
  const typed = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof value === "string") return [{ ...typed, text: value }];
  if (isBytes(value)) return [{ ...typed, blob: base64(value) }];
  return [{ uri, mimeType: mimeType ?? "application/json", text: jsonText(value) }];
}

function isResourceContents(value: unknown): value is ResourceContents {
  return (
    isObject(value) &&
    typeof value.uri === "string" &&
    (typeof value.text === "string" || typeof value.blob === "string")
  );
}

function withoutMeta(contents: ResourceContents): ResourceContents {
  const copy = { ...contents };
  delete copy._meta;
  return copy;
}

/** JSON text of any value; what JSON has no form for is written in the form the compiler gives it. */
export function jsonText(value: unknown): string {
  // Looking through a value is many times cheaper than a function called for each of its parts.
  const text = isPlain(value, MOST_LEVELS) ? JSON.stringify(value) : JSON.stringify(value, richer);
  return text ?? "null";
}

/** Values nested deeper, or in themselves, are not looked through. */
const MOST_LEVELS = 64;

/** True for what `JSON.stringify` writes rightly by itself. */
function isPlain(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (!isPlain(item, levels - 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value instanceof Date;
  if ("toJSON" in value) return false;
  for (const name in value) {
    if (!isPlain((value as Record<string, unknown>)[name], levels - 1)) return false;
  }
  return true;
}

function richer(this: unknown, _key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Set) return [...(value as Set<unknown>)];
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
  if (value instanceof RegExp) return value.source;
  return value;
}

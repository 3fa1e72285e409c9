import type {
  Content,
  PromptResult,
  ResourceContents,
  ResourceResult,
  ToolResult,
} from "@tenon/runtime/manifest";
import { toPrintableValue } from "../terminal/printable.js";
import type { Paint } from "../terminal/terminal.js";
import { formatSize } from "../terminal/text-format.js";
import { isJsonText } from "./result-size.js";
import type { BytesBlock } from "./save-bytes.js";

/** The paths of saved content, by its base64. */
export type SavedPaths = ReadonlyMap<string, string>;

type ResourceLink = Extract<Content, { type: "resource_link" }>;

const NONE: SavedPaths = new Map();

/**
 * Formats the result of a tool. Structured content is shown only once, as JSON or text. Binary content is described.
 *
 * @param result the result, safe to print
 */
export function formatToolResult(result: ToolResult, paint: Paint, saved: SavedPaths = NONE): string {
  const structured = result.structuredContent;
  const repeats = (block: Content): boolean =>
    structured !== undefined && block.type === "text" && isJsonText(block.text, structured, toPrintableValue);
  const parts = result.content
    .filter((block) => !repeats(block))
    .map((block) => formatContent(block, paint, saved));
  if (structured !== undefined && !containsOnlyText(structured, result.content))
    parts.push(JSON.stringify(structured, (_, value) => describeIfSaved(value, saved), 2));
  if (parts.length === 0) return paint.dim("(no content)");
  const text = parts.join("\n");
  return result.isError ? paint.red(text) : text;
}

/** Returns whether structured content is only text wrapped in an object, as for tools that return a string. */
function containsOnlyText(structured: unknown, content: readonly Content[]): boolean {
  const texts = content.flatMap((block) => (block.type === "text" ? block.text : []));
  const members = typeof structured === "object" && structured !== null ? Object.values(structured) : [];
  return texts.length > 0 && members.length === 1 && members[0] === texts.join("\n");
}

/** Formats one content block. */
export function formatContent(block: Content, paint: Paint, saved: SavedPaths = NONE): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return paint.dim(
        `[${block.type} ${block.mimeType}, ${formatByteCount(block.data)}${formatSavedPath(block.data, saved)}]`,
      );
    case "resource_link":
      return formatLink(block, paint);
    case "resource":
      return formatContents(block.resource, paint, saved);
  }
}

function formatLink({ name, title, uri, mimeType, size, description }: ResourceLink, paint: Paint): string {
  const known = [mimeType, size === undefined ? undefined : formatSize(size)].filter(Boolean);
  const link = paint.dim(`[link ${[uri, ...known].join(", ")}]`);
  return `${title ?? name} ${link}${description === undefined ? "" : `\n  ${description}`}`;
}

/** Formats a resource: a single text unchanged, several contents with their URIs. */
export function formatResourceResult(
  { contents }: ResourceResult,
  paint: Paint,
  saved: SavedPaths = NONE,
): string {
  const [first] = contents;
  if (contents.length === 1 && first && "text" in first) return first.text;
  return contents.map((each) => formatContents(each, paint, saved)).join("\n") || paint.dim("(no content)");
}

/** Formats the messages of a prompt with their roles. */
export function formatPromptResult(
  { messages }: PromptResult,
  paint: Paint,
  saved: SavedPaths = NONE,
): string {
  const lines = messages.map(
    ({ role, content }) => `${paint.bold(`${role}:`)} ${formatContent(content, paint, saved)}`,
  );
  return lines.join("\n\n") || paint.dim("(no messages)");
}

function formatContents(resource: ResourceContents, paint: Paint, saved: SavedPaths): string {
  const kind = resource.mimeType ? ` ${resource.mimeType}` : "";
  if ("text" in resource) return `${paint.dim(`[resource ${resource.uri}${kind}]`)}\n${resource.text}`;
  return paint.dim(
    `[resource ${resource.uri}${kind}, ${formatByteCount(resource.blob)}${formatSavedPath(resource.blob, saved)}]`,
  );
}

/** Finds the binary content of a result. */
export function findBytes(result: ToolResult | PromptResult | ResourceResult): BytesBlock[] {
  if ("contents" in result) return result.contents.flatMap(findBlob);
  const blocks = "messages" in result ? result.messages.map(({ content }) => content) : result.content;
  return blocks.flatMap((block) => {
    if ("data" in block) return block;
    return block.type === "resource" ? findBlob(block.resource) : [];
  });
}

function findBlob(resource: ResourceContents): BytesBlock[] {
  return "blob" in resource ? [{ data: resource.blob, mimeType: resource.mimeType }] : [];
}

/** Replaces saved binary data with its description. */
function describeIfSaved(value: unknown, saved: SavedPaths): unknown {
  return typeof value === "string" && saved.has(value)
    ? `[${formatByteCount(value)}${formatSavedPath(value, saved)}]`
    : value;
}

function formatSavedPath(data: string, saved: SavedPaths): string {
  const file = saved.get(data);
  return file === undefined ? "" : `, saved as ${file}`;
}

function formatByteCount(base64: string): string {
  return formatSize(Buffer.byteLength(base64, "base64"));
}

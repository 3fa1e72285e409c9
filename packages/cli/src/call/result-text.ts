import type {
  Content,
  PromptResult,
  ResourceContents,
  ResourceResult,
  ToolResult,
} from "@tenon/runtime/manifest";
import { printableValue } from "../remote/printable.js";
import type { Paint } from "../terminal/terminal.js";
import type { BytesBlock } from "./save-bytes.js";

/** Where parts of a result were written, by their base64. */
export type Saved = ReadonlyMap<string, string>;

type ResourceLink = Extract<Content, { type: "resource_link" }>;

const NONE: Saved = new Map();

/**
 * A tool's result for reading. A structured result is shown once, as JSON or as its text, although it travels twice.
 * Bytes are described, not printed.
 *
 * @param result made printable
 */
export function resultText(result: ToolResult, paint: Paint, saved: Saved = NONE): string {
  const structured = result.structuredContent;
  const repeats = (block: Content): boolean =>
    structured !== undefined && block.type === "text" && isJsonOf(block.text, structured);
  const parts = result.content
    .filter((block) => !repeats(block))
    .map((block) => contentText(block, paint, saved));
  if (structured !== undefined && !isTextAlone(structured, result.content))
    parts.push(JSON.stringify(structured, (_, value) => describedIfSaved(value, saved), 2));
  if (parts.length === 0) return paint.dim("(no content)");
  const text = parts.join("\n");
  return result.isError ? paint.red(text) : text;
}

/** Servers whose tools return text put it into an object, too, where their clients want one. */
function isTextAlone(structured: unknown, content: readonly Content[]): boolean {
  const texts = content.flatMap((block) => (block.type === "text" ? block.text : []));
  const members = typeof structured === "object" && structured !== null ? Object.values(structured) : [];
  return texts.length > 0 && members.length === 1 && members[0] === texts.join("\n");
}

/** @param value with texts as a terminal may show them, which in JSON are written with all their characters */
function isJsonOf(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(printableValue(JSON.parse(text))) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** One block of content for reading. */
export function contentText(block: Content, paint: Paint, saved: Saved = NONE): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return paint.dim(
        `[${block.type} ${block.mimeType}, ${bytes(block.data)}${savedAs(block.data, saved)}]`,
      );
    case "resource_link":
      return linkText(block, paint);
    case "resource":
      return contentsText(block.resource, paint, saved);
  }
}

function linkText({ name, title, uri, mimeType, size, description }: ResourceLink, paint: Paint): string {
  const known = [mimeType, size === undefined ? undefined : sizeText(size)].filter(Boolean);
  const link = paint.dim(`[link ${[uri, ...known].join(", ")}]`);
  return `${title ?? name} ${link}${description === undefined ? "" : `\n  ${description}`}`;
}

/** A resource for reading: text alone as it is, and with its URI where there are several. */
export function resourceText({ contents }: ResourceResult, paint: Paint, saved: Saved = NONE): string {
  const [first] = contents;
  if (contents.length === 1 && first && "text" in first) return first.text;
  return contents.map((each) => contentsText(each, paint, saved)).join("\n") || paint.dim("(no content)");
}

/** The messages of a prompt for reading, each under who says it. */
export function promptText({ messages }: PromptResult, paint: Paint, saved: Saved = NONE): string {
  const said = messages.map(
    ({ role, content }) => `${paint.bold(`${role}:`)} ${contentText(content, paint, saved)}`,
  );
  return said.join("\n\n") || paint.dim("(no messages)");
}

function contentsText(resource: ResourceContents, paint: Paint, saved: Saved): string {
  const kind = resource.mimeType ? ` ${resource.mimeType}` : "";
  if ("text" in resource) return `${paint.dim(`[resource ${resource.uri}${kind}]`)}\n${resource.text}`;
  return paint.dim(
    `[resource ${resource.uri}${kind}, ${bytes(resource.blob)}${savedAs(resource.blob, saved)}]`,
  );
}

/** What of a result is no text. */
export function bytesOf(result: ToolResult | PromptResult | ResourceResult): BytesBlock[] {
  if ("contents" in result) return result.contents.flatMap(blobOf);
  const blocks = "messages" in result ? result.messages.map(({ content }) => content) : result.content;
  return blocks.flatMap((block) => {
    if ("data" in block) return block;
    return block.type === "resource" ? blobOf(block.resource) : [];
  });
}

function blobOf(resource: ResourceContents): BytesBlock[] {
  return "blob" in resource ? [{ data: resource.blob, mimeType: resource.mimeType }] : [];
}

/** Bytes among a tool's data, once they are in a file. */
function describedIfSaved(value: unknown, saved: Saved): unknown {
  return typeof value === "string" && saved.has(value) ? `[${bytes(value)}${savedAs(value, saved)}]` : value;
}

function savedAs(data: string, saved: Saved): string {
  const file = saved.get(data);
  return file === undefined ? "" : `, saved as ${file}`;
}

function bytes(base64: string): string {
  return sizeText(Buffer.byteLength(base64, "base64"));
}

function sizeText(size: number): string {
  return size < 1024 ? `${size} bytes` : `${(size / 1024).toFixed(1)} kB`;
}

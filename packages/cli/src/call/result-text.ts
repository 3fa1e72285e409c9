import type { Content, ResourceContents, ToolResult } from "@tenon/runtime/manifest";
import type { Paint } from "../terminal/terminal.js";

/**
 * A tool's result for reading. A structured result is shown once, as JSON, although it travels twice.
 * Bytes are described, not printed.
 */
export function resultText(result: ToolResult, paint: Paint): string {
  const structured = result.structuredContent;
  const repeats = (block: Content): boolean =>
    structured !== undefined && block.type === "text" && isJsonOf(block.text, structured);
  const parts = result.content.filter((block) => !repeats(block)).map((block) => contentText(block, paint));
  if (structured !== undefined) parts.push(JSON.stringify(structured, null, 2));
  if (parts.length === 0) return paint.dim("(no content)");
  const text = parts.join("\n");
  return result.isError ? paint.red(text) : text;
}

function isJsonOf(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function contentText(block: Content, paint: Paint): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return paint.dim(`[${block.type} ${block.mimeType}, ${bytes(block.data)}]`);
    case "resource_link":
      return `${block.title ?? block.name} ${paint.dim(`[link ${block.uri}]`)}`;
    case "resource":
      return resourceText(block.resource, paint);
  }
}

function resourceText(resource: ResourceContents, paint: Paint): string {
  const kind = resource.mimeType ? ` ${resource.mimeType}` : "";
  if ("text" in resource) return `${paint.dim(`[resource ${resource.uri}${kind}]`)}\n${resource.text}`;
  return paint.dim(`[resource ${resource.uri}${kind}, ${bytes(resource.blob)}]`);
}

function bytes(base64: string): string {
  const size = Buffer.byteLength(base64, "base64");
  return size < 1024 ? `${size} bytes` : `${(size / 1024).toFixed(1)} kB`;
}

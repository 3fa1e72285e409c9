import type {
  Content,
  PromptResult,
  ResourceContents,
  ResourceResult,
  ToolResult,
} from "@tenon/runtime/manifest";
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
      return contentsText(block.resource, paint);
  }
}

/** A resource for reading: text alone as it is, and with its URI where there are several. */
export function resourceText({ contents }: ResourceResult, paint: Paint): string {
  const [first] = contents;
  if (contents.length === 1 && first && "text" in first) return first.text;
  return contents.map((each) => contentsText(each, paint)).join("\n") || paint.dim("(no content)");
}

/** The messages of a prompt for reading, each under who says it. */
export function promptText({ messages }: PromptResult, paint: Paint): string {
  const said = messages.map(
    ({ role, content }) => `${paint.bold(`${role}:`)} ${contentText(content, paint)}`,
  );
  return said.join("\n\n") || paint.dim("(no messages)");
}

function contentsText(resource: ResourceContents, paint: Paint): string {
  const kind = resource.mimeType ? ` ${resource.mimeType}` : "";
  if ("text" in resource) return `${paint.dim(`[resource ${resource.uri}${kind}]`)}\n${resource.text}`;
  return paint.dim(`[resource ${resource.uri}${kind}, ${bytes(resource.blob)}]`);
}

function bytes(base64: string): string {
  const size = Buffer.byteLength(base64, "base64");
  return size < 1024 ? `${size} bytes` : `${(size / 1024).toFixed(1)} kB`;
}

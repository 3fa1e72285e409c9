import { base64, isBytes } from "../values/scalar-conversions.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { ResourceContents, ResourceResult } from "../protocol/specification.js";
import { jsonText } from "./json-text.js";
import type { Revision } from "../protocol/revisions.js";

/**
 * From what a resource returns to a `ReadResourceResult`, or `undefined` when the handler found nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @param uri What the client asked for.
 * @param write turns data into the JSON that stands for it
 */
export function resourceResult(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
  revision: Revision,
  write: (value: unknown) => unknown,
): ResourceResult | undefined {
  if (value === undefined || value === null) return undefined;
  const whole = isObject(value) && Array.isArray(value.contents) && value.contents.every(isResourceContents);
  const contents = whole ? (value.contents as ResourceContents[]) : toContents(value, uri, mimeType, write);
  if (contents.length === 0) return undefined;
  const projected = revision.lacks.members.includes("_meta") ? contents.map(withoutMeta) : contents;
  return whole && isObject(value._meta)
    ? { contents: projected, _meta: value._meta }
    : { contents: projected };
}

function toContents(
  value: unknown,
  uri: string,
  mimeType: string | undefined,
  write: (value: unknown) => unknown,
): ResourceContents[] {
  if (isResourceContents(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isResourceContents)) return value;
  const typed = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof value === "string") return [{ ...typed, text: value }];
  if (isBytes(value)) return [{ ...typed, blob: base64(value) }];
  return [{ uri, mimeType: mimeType ?? "application/json", text: jsonText(write(value)) }];
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

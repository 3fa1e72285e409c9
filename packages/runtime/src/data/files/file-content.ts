/**
 * Converts files in results to content: images, audio, or embedded resources.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import type { BlobResourceContents, Content, TextResourceContents } from "../../protocol/specification.js";
import { encodeBase64 } from "../conversion/scalar-values.js";
import { getMimeEssence } from "./file-limits.js";
import { toFileName } from "./read-file.js";

/** Image types that clients do not show as images, since they are text. */
const TEXT_IMAGES = /^image\/svg\+xml$/;

/** Types other than `text/*` whose content is text. */
const TEXT_TYPE =
  /^(?:text\/.+|application\/(?:json|xml|yaml|toml|javascript|sql|x-ndjson|.+\+(?:json|xml|yaml))|image\/svg\+xml)$/;

const ID_BYTES = 12;

/** Returns the name of a file, or a name for a `Blob`, which has none. */
export function getFileName(file: Blob): string {
  return toFileName(file instanceof File ? file.name : undefined);
}

/**
 * Returns a content block with the whole content of a file. Its type decides between an image, audio, and an embedded
 * resource, which contains text if both the type and the content are text.
 *
 * @example
 * await toFileBlock(new File(["a,b"], "a.csv", { type: "text/csv" }))
 * // { type: "resource", resource: { uri: "attachment:///…/a.csv", mimeType: "text/csv", text: "a,b" } }
 */
export async function toFileBlock(file: Blob): Promise<Content> {
  const type = getMimeEssence(file.type);
  const bytes = await file.arrayBuffer();
  const kind = /^(image|audio)\/./.exec(type)?.[1];
  if (kind !== undefined && !TEXT_IMAGES.test(type))
    return { type: kind as "image" | "audio", data: encodeBase64(bytes), mimeType: file.type };
  const name = encodeURIComponent(getFileName(file));
  return {
    type: "resource",
    resource: toContents(bytes, file, `attachment:///${await createId(bytes)}/${name}`),
  };
}

/** Returns a file as the contents of the resource with this URI. */
export async function toFileContents(
  file: Blob,
  uri: string,
): Promise<TextResourceContents | BlobResourceContents> {
  return toContents(await file.arrayBuffer(), file, uri);
}

function toContents(
  bytes: ArrayBuffer,
  { type }: Blob,
  uri: string,
): TextResourceContents | BlobResourceContents {
  const text = TEXT_TYPE.test(getMimeEssence(type)) ? decodeText(bytes) : undefined;
  const mimeType = type === "" ? {} : { mimeType: type };
  if (text !== undefined) return { uri, ...mimeType, text };
  return { uri, ...mimeType, blob: encodeBase64(bytes) };
}

/** Decodes UTF-8. Returns undefined for other bytes. */
function decodeText(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns an ID for the content of a file, so that different files with the same name have different URIs. */
async function createId(bytes: ArrayBuffer): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest("SHA-256", bytes);
  return Buffer.from(digest, 0, ID_BYTES).toString("base64url");
}

import { basename } from "node:path";
import type { JsonSchema } from "@tenon/runtime/manifest";
import mime from "mime/lite";

/**
 * Returns a file as a data URI with its MIME type and its name.
 *
 * @param path the path of the file; `-` for standard input, which has no name
 * @example
 * toDataUri(Buffer.from("hello"), "notes/a.txt") // "data:text/plain;name=a.txt;base64,aGVsbG8="
 */
export function toDataUri(content: Buffer, path: string): string {
  const name = path === "-" ? undefined : basename(path);
  const type = (name === undefined ? null : mime.getType(name)) ?? "application/octet-stream";
  const parameter = name === undefined ? "" : `;name=${encodeURIComponent(name)}`;
  return `data:${type}${parameter};base64,${content.toString("base64")}`;
}

/**
 * Returns whether a schema describes the object that OpenAI's clients send for a file.
 *
 * @see https://developers.openai.com/plugins/reference
 */
export function isFileObject({ properties = {}, required = [] }: JsonSchema): boolean {
  return (
    required.includes("download_url") && required.includes("file_id") && Object.hasOwn(properties, "file_id")
  );
}

/** Converts a file to the object that OpenAI's clients send for it, with a data URI as its URL. */
export function toFileObject(content: Buffer, path: string): Record<string, string> {
  const name = path === "-" ? "file" : basename(path);
  return { download_url: toDataUri(content, path), file_id: name, file_name: name };
}

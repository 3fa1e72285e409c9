import { basename } from "node:path";
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

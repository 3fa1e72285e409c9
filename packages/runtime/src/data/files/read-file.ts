/**
 * Reads files from arguments: base64, or data URIs, which also carry a MIME type and a name.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2397
 * @module
 */
import type { FileLimits } from "../../manifest.js";
import { ConversionProblem } from "../conversion/scalar-conversions.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { formats } from "../validation/formats.js";
import { findSizeProblem, findTypeProblem, getMimeEssence } from "./file-limits.js";
import { PendingFile } from "./pending-file.js";

/** The name of a file for which the client sends none. */
const UNNAMED = "file";

const MAX_NAME_CHARACTERS = 255;

/** The content of a file, with its type and name if they are known. */
interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The MIME type; empty if it is unknown. */
  readonly type: string;
  readonly name?: string | undefined;
}

/**
 * Reads a file from base64 or a data URI. A data URI may name the file, with the parameter `name`.
 *
 * @param limits the limits of the parameter
 * @returns a `File`, a `PendingFile` that must be downloaded, a `ConversionProblem`, or any other value unchanged
 * @example
 * readFile("data:text/plain;name=a.txt;base64,aGVsbG8=") // File { name: "a.txt", type: "text/plain", size: 5 }
 */
export function readFile(value: unknown, limits: FileLimits = {}): unknown {
  if (limits.remote === true && isObject(value)) return readRemoteFile(value, limits);
  if (typeof value !== "string") return value;
  const content = isDataUri(value) ? readDataUri(value, limits) : readBase64(value, limits);
  if (content instanceof ConversionProblem) return content;
  return toFile(content, limits);
}

function toFile({ bytes, type, name }: FileContent, limits: FileLimits): File | ConversionProblem {
  const problem = findTypeProblem(type, limits) ?? findSizeProblem(bytes.byteLength, limits);
  return problem === undefined
    ? new File([bytes], toFileName(name), { type })
    : new ConversionProblem(problem);
}

/**
 * Reads the object with which OpenAI's clients send a file. Its URL may also be a data URI, for other clients.
 *
 * @see https://developers.openai.com/plugins/reference
 */
function readRemoteFile(
  { download_url, mime_type, file_name }: Record<string, unknown>,
  limits: FileLimits,
): unknown {
  const url = String(download_url);
  const [type, name] = [mime_type, file_name].map((each) => (typeof each === "string" ? each : undefined));
  if (!isDataUri(url)) return new PendingFile(url, { name, type }, limits);
  const content = readDataUri(url, limits);
  if (content instanceof ConversionProblem) return content;
  return toFile({ ...content, type: type ?? content.type, name: name ?? content.name }, limits);
}

/** Returns whether a string is a data URI. Base64 has no colon. */
export function isDataUri(text: string): boolean {
  return /^data:/i.test(text);
}

/**
 * Returns the last segment of a name, without control characters, so that a client cannot choose a folder.
 *
 * @example
 * toFileName("../../etc/passwd") // "passwd"
 */
export function toFileName(name: string | undefined): string {
  const segment = (name ?? "").split(/[/\\]/).at(-1) ?? "";
  const clean = segment
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .slice(0, MAX_NAME_CHARACTERS);
  return clean === "" || clean === "." || clean === ".." ? UNNAMED : clean;
}

/** Reads base64. The type of the file is known if the parameter accepts only one. */
function readBase64(text: string, limits: FileLimits): FileContent | ConversionProblem {
  const [only, ...others] = limits.accept ?? [];
  const bytes = decodeBase64(text, limits);
  if (bytes instanceof ConversionProblem) return bytes;
  return { bytes, type: only !== undefined && others.length === 0 && !only.endsWith("/*") ? only : "" };
}

function readDataUri(uri: string, limits: FileLimits): FileContent | ConversionProblem {
  const comma = uri.indexOf(",");
  if (comma < 0) return new ConversionProblem("must have a comma before the data of its data URI");
  const [type = "", ...parameters] = uri.slice("data:".length, comma).split(";");
  const isBase64 = parameters.at(-1)?.trim().toLowerCase() === "base64";
  const data = uri.slice(comma + 1);
  const bytes = isBase64 ? decodeBase64(data, limits) : decodeData(data);
  if (bytes instanceof ConversionProblem) return bytes;
  const charset = parameters.find((each) => /^charset=[\w-]+$/i.test(each.trim()));
  const name = parameters.find((each) => /^name=/i.test(each.trim()));
  return {
    bytes,
    type: [getMimeEssence(type), ...(charset === undefined ? [] : [charset.trim()])].join(";"),
    name: name && decodePercentEncoding(name.slice(name.indexOf("=") + 1).replaceAll(/^"|"$/g, "")),
  };
}

function decodeBase64(text: string, limits: FileLimits): Uint8Array<ArrayBuffer> | ConversionProblem {
  if (!formats.base64(text)) return new ConversionProblem("must be base64, or a data URI");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const problem = findSizeProblem((text.length / 4) * 3 - padding, limits);
  return problem === undefined
    ? Uint8Array.from(Buffer.from(text, "base64"))
    : new ConversionProblem(problem);
}

/** Decodes the data of a data URI without `;base64`. */
function decodeData(data: string): Uint8Array<ArrayBuffer> | ConversionProblem {
  if (/[^!-~]|%(?![\dA-Fa-f]{2})/.test(data))
    return new ConversionProblem(
      "must have percent-encoded data in its data URI, or `;base64` before the comma",
    );
  const text = data.replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Uint8Array.from(Buffer.from(text, "latin1"));
}

/** Decodes percent-encoded text. Returns other text unchanged. */
export function decodePercentEncoding(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

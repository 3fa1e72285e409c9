import { type Style, styled, toPairs, writePairs } from "./values.js";

/** The encoded body of a request, and its media type. */
export interface RequestBody {
  readonly type: string;
  readonly content: string | Blob;
}

/** Encodes a body as JSON. */
export function jsonBody(value: unknown, type = "application/json"): RequestBody | undefined {
  return value === undefined ? undefined : { type, content: JSON.stringify(value) };
}

/** Encodes a list as lines of JSON. */
export function linesBody(
  values: readonly unknown[] | undefined,
  type = "application/x-ndjson",
): RequestBody | undefined {
  if (values === undefined) return undefined;
  return { type, content: values.map((value) => `${JSON.stringify(value)}\n`).join("") };
}

/**
 * Encodes a body as browsers encode forms.
 *
 * @param styles the styles of members that differ from the default, which repeats lists and writes objects as JSON
 */
export function formBody(
  values: object | null | undefined,
  styles: Readonly<Record<string, Style>> = {},
  type = "application/x-www-form-urlencoded",
): RequestBody | undefined {
  if (!values) return undefined;
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
    // A field that is null is sent as empty text.
    return [name, styled(styles[name] ?? "repeated", value === null ? "" : value)] as const;
  });
  return { type, content: writePairs(Object.fromEntries(entries), "repeated").join("&") };
}

/** The encoding of one member of a multipart body. */
export interface PartEncoding {
  /** The media type (default: JSON for objects, bytes for files, and none for text). */
  readonly type?: string;
  /** The style of a member that is written as text. */
  readonly style?: Style;
  /** Additional headers of each part. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Encodes a body in parts. Bytes are sent as files, objects as JSON, and each item of a list as a part.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578
 */
export function multipartBody(
  values: object | null | undefined,
  encodings: Readonly<Record<string, PartEncoding>> = {},
): RequestBody | undefined {
  if (!values) return undefined;
  const boundary = `part-${crypto.randomUUID()}`;
  const parts = (Object.entries(values) as [string, unknown][]).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const { style, ...encoding } = encodings[name] ?? {};
    const pairs = style === undefined ? undefined : toPairs({ [name]: styled(style, value) }, style);
    const items = pairs ?? [value].flat().map((each): [string, unknown] => [name, each]);
    return items.flatMap(([key, item]) => writePart(boundary, key, item, encoding));
  });
  const content = new Blob([...parts, `--${boundary}--\r\n`]);
  return { type: `multipart/form-data; boundary=${boundary}`, content };
}

function writePart(
  boundary: string,
  name: string,
  value: unknown,
  encoding: PartEncoding,
): (string | Blob)[] {
  const isFile = value instanceof Uint8Array;
  const fileType = isFile ? "application/octet-stream" : undefined;
  const isDeclaredJson = encoding.type !== undefined && /[/+]json\b/.test(encoding.type);
  // Data has no other representation than JSON.
  const isJson = isDeclaredJson || isData(value);
  const type = isJson && !isDeclaredJson ? "application/json" : (encoding.type ?? fileType);
  // Escapes the name as browsers do.
  const escaped = name.replaceAll(/["\r\n]/g, encodeURIComponent);
  const disposition = `form-data; name="${escaped}"${isFile ? `; filename="${escaped}"` : ""}`;
  const headers = Object.entries({
    "Content-Disposition": disposition,
    ...(type !== undefined && { "Content-Type": type }),
    ...encoding.headers,
  });
  const head = headers.map(([header, text]) => `${header}: ${text}\r\n`).join("");
  const text = isJson ? JSON.stringify(value) : String(value ?? "");
  return [`--${boundary}\r\n${head}\r\n`, isFile ? new Blob([new Uint8Array(value)]) : text, "\r\n"];
}

/** Returns whether a value is an object or a list. */
function isData(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

/** Creates the body of a request from text; undefined without text. */
export function textBody(
  text: string | undefined,
  type = "text/plain; charset=utf-8",
): RequestBody | undefined {
  return text === undefined ? undefined : { type, content: text };
}

/** Creates the body of a request from bytes; undefined without bytes. */
export function bytesBody(
  bytes: Uint8Array | undefined,
  type = "application/octet-stream",
): RequestBody | undefined {
  return bytes === undefined ? undefined : { type, content: new Blob([new Uint8Array(bytes)]) };
}

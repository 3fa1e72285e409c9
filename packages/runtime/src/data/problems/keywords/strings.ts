import type { JsonSchema } from "../../../protocol/json-schema.js";
import { formatByteCount } from "../format-byte-count.js";
import { ucs2length } from "../../validation/compiled-validators.js";
import { formats } from "../../validation/formats.js";
import { formatCount } from "../describe-schema.js";
import { keyword, type KeywordCheck } from "../search.js";

/** The check of each format. Formats without a check are annotations. */
const FORMAT_CHECKS: Readonly<Record<string, (text: string) => boolean>> = formats;

/** Names of formats for messages, if the format's own name is unclear. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  byte: "base64",
  base64: "base64",
  email: "a valid email address",
  hostname: "a valid host name",
  ipv4: "a valid IPv4 address",
  ipv6: "a valid IPv6 address",
  uri: "a valid URI",
  uuid: "a valid UUID",
};

export const stringKeywords: readonly KeywordCheck[] = [
  keyword(
    "maxLength",
    "string",
    (limit: number, text: string, { contentEncoding, "x-mcp-file": file }: JsonSchema) => {
      if (ucs2length(text) <= limit) return false;
      // For a file, the limit includes the type and the name in a data URI.
      const { maxSize } = (file ?? {}) as { maxSize?: number };
      if (maxSize) return () => `be a file of at most ${formatByteCount(maxSize)}`;
      // Four characters of base64 are three bytes.
      const size = contentEncoding === "base64" ? `, which is about ${formatByteCount((limit / 4) * 3)}` : "";
      return () => `have at most ${formatCount(limit, "character")}${size}`;
    },
  ),
  keyword(
    "minLength",
    "string",
    (limit: number, text: string) =>
      ucs2length(text) < limit && (() => `have at least ${formatCount(limit, "character")}`),
  ),
  keyword(
    "pattern",
    "string",
    (pattern: string, text: string) =>
      !new RegExp(pattern, "u").test(text) && (() => `match the pattern ${pattern}`),
  ),
  keyword(
    "format",
    "string",
    (format: string, text: string) =>
      Object.hasOwn(FORMAT_CHECKS, format) &&
      FORMAT_CHECKS[format]?.(text) === false &&
      (() => `be ${FORMAT_NAMES[format] ?? `a valid ${format}`}`),
  ),
];

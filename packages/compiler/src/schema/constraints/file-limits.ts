import type { Conversion, FileLimits, JsonSchema } from "@tenon/runtime/manifest";
import { formatByteCount } from "@tenon/runtime/value-problems";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readByteCount, readMimeTypes } from "../../jsdoc/tag-values.js";
import { FILE_KEYWORD } from "../../json-schema/file-keyword.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { reportInvalid, type Target } from "./constraint.js";

/** Maximum length of a data URI before its data, with a name of 255 characters that are all percent-encoded. */
const MAX_HEADER_CHARACTERS = 1024;

/**
 * Applies `@maxSize 5 MB` or `@accept image/png, image/jpeg` to a file. The server checks both during conversion. Clients read
 * them in the description, and in the keywords that can express them.
 *
 * @returns undefined if the tag is another one, or the type is not a file
 */
export function addFileLimit(
  fragment: SchemaFragment,
  tag: DocTag,
  target: Target,
): SchemaFragment | undefined {
  const { schema, conversion } = fragment;
  if ((tag.name !== "maxSize" && tag.name !== "accept") || !conversion || !hasFile(conversion))
    return undefined;
  const limits = readLimits(tag);
  if (limits === undefined) {
    const expected = tag.name === "maxSize" ? MAX_SIZE_FORM : ACCEPT_FORM;
    return { ...fragment, schema: reportInvalid(schema, tag, target, expected) };
  }
  const add = (each: JsonSchema): JsonSchema =>
    each[FILE_KEYWORD] === undefined ? each : { ...each, ...toKeywords(each, limits) };
  return {
    ...fragment,
    schema: schema.anyOf ? { ...schema, anyOf: schema.anyOf.map(add) } : add(schema),
    conversion: withLimits(conversion, limits),
  };
}

const MAX_SIZE_FORM = "a number of bytes, or a size such as `5 MB` or `64 KiB`";
const ACCEPT_FORM = "MIME types, such as `image/png, image/jpeg` or `image/*`";

/** Returns sentences about the limits of a file. Empty if there are none. */
export function describeFileLimits(conversion: Conversion): string {
  const { maxBytes, accept } = getLimits(conversion);
  return [
    ...(accept === undefined ? [] : [`Accepts ${accept.join(", ")}.`]),
    ...(maxBytes === undefined ? [] : [`At most ${formatByteCount(maxBytes)}.`]),
  ].join(" ");
}

function readLimits({ name, text }: DocTag): FileLimits | undefined {
  if (name === "maxSize") {
    const maxBytes = readByteCount(text);
    return maxBytes === undefined ? undefined : { maxBytes };
  }
  const accept = readMimeTypes(text);
  return accept && { accept };
}

function toKeywords(schema: JsonSchema, { maxBytes, accept = [] }: FileLimits): JsonSchema {
  const [only] = accept;
  return {
    [FILE_KEYWORD]: {
      ...(schema[FILE_KEYWORD] as object),
      ...(accept.length > 0 && { accept }),
      ...(maxBytes !== undefined && { maxSize: maxBytes }),
    },
    ...(only !== undefined && accept.length === 1 && !only.endsWith("/*") && { contentMediaType: only }),
    ...(maxBytes !== undefined && { maxLength: Math.ceil(maxBytes / 3) * 4 + MAX_HEADER_CHARACTERS }),
  };
}

function hasFile(conversion: Conversion): boolean {
  if (conversion.kind !== "union") return conversion.kind === "file";
  return conversion.branches.some(({ convert }) => convert?.kind === "file");
}

/** Returns the limits of a file, or of the first one in a union. */
function getLimits(conversion: Conversion): FileLimits {
  if (conversion.kind === "file") return conversion.file ?? {};
  if (conversion.kind !== "union") return {};
  const own = conversion.branches.find(({ convert }) => convert?.kind === "file")?.convert;
  return own ? getLimits(own) : {};
}

function withLimits(conversion: Conversion, limits: FileLimits): Conversion {
  if (conversion.kind === "file") return { kind: "file", file: { ...conversion.file, ...limits } };
  if (conversion.kind !== "union") return conversion;
  const branches = conversion.branches.map(({ when, convert }) => ({
    when,
    convert: convert && withLimits(convert, limits),
  }));
  return { kind: "union", branches };
}

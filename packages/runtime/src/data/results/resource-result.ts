import { encodeBase64, isBytes } from "../conversion/scalar-values.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { ResourceContents, ResourceResult } from "../../protocol/specification.js";
import {
  checkPart,
  checkResultMembers,
  contentsList,
  stripContents,
  toDeclaredText,
  UNKNOWN_BYTES,
} from "./content-check.js";
import { checkNothingLost } from "./lost-values.js";
import type { RejectOutput } from "./output-check.js";
import type { Revision } from "../../protocol/revisions.js";
import { toWellFormedJson } from "../../protocol/well-formed.js";

/** The data about a resource that is known before its handler runs. */
export interface ResourceRead {
  /** The URI that the client requested. */
  readonly uri: string;
  /** The MIME type that the resource declares. */
  readonly mimeType: string | undefined;
  /** Whether its type includes data, and not only text, bytes, and contents. */
  readonly hasData: boolean;
  /** Converts data to JSON without undeclared members. */
  write(value: unknown): unknown;
}

/**
 * Converts the return value of a resource to a `ReadResourceResult`, or to `undefined` if the handler found nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export function toResourceResult(
  value: unknown,
  read: ResourceRead,
  revision: Revision,
  reject: RejectOutput | undefined,
): ResourceResult | undefined {
  if (value === undefined || value === null) return undefined;
  const isContents = read.hasData ? isResourceContents : isObject;
  const isWhole = isObject(value) && Array.isArray(value.contents) && value.contents.every(isContents);
  const given = isWhole ? (value.contents as ResourceContents[]) : toContents(value, read, reject);
  const contents = given.map((each) => stripContents(withMimeType(read, each)));
  if (contents.length === 0) return undefined;
  if (reject && isWhole) checkResultMembers(value, reject);
  if (reject) checkPart(contents, contentsList, ["contents"], reject);
  const projected = revision.lacks.members.includes("_meta") ? contents.map(withoutMeta) : contents;
  return isWhole && isObject(value._meta)
    ? { contents: projected, _meta: value._meta }
    : { contents: projected };
}

function toContents(
  value: unknown,
  { uri, mimeType, hasData, write }: ResourceRead,
  reject: RejectOutput | undefined,
): ResourceContents[] {
  if (isResourceContents(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isResourceContents)) return value;
  if (isBytes(value)) return [{ uri, mimeType: mimeType ?? UNKNOWN_BYTES, blob: encodeBase64(value) }];
  if (!hasData || typeof value === "string")
    return [{ uri, ...(mimeType !== undefined && { mimeType }), text: toDeclaredText(value) }];
  const json = write(value);
  if (reject !== undefined) checkNothingLost(json, reject);
  return [
    { uri, mimeType: mimeType ?? "application/json", text: toWellFormedJson(JSON.stringify(json) ?? "null") },
  ];
}

/** Adds the MIME type of the resource to its contents, unless they have one or belong to another resource. */
function withMimeType({ uri, mimeType }: ResourceRead, contents: ResourceContents): ResourceContents {
  const isTyped = mimeType === undefined || contents.mimeType !== undefined || contents.uri !== uri;
  return isTyped ? contents : { ...contents, mimeType };
}

function isResourceContents(value: unknown): value is ResourceContents {
  return (
    isObject(value) &&
    typeof value.uri === "string" &&
    (typeof value.text === "string" || typeof value.blob === "string")
  );
}

function withoutMeta({ _meta, ...contents }: ResourceContents): ResourceContents {
  return contents;
}

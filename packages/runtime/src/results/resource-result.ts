import { base64, isBytes } from "../values/scalar-values.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { ResourceContents, ResourceResult } from "../protocol/specification.js";
import { checkList, contentsList, keepContents } from "./content-check.js";
import type { RefuseOutput } from "./output-check.js";
import type { Revision } from "../protocol/revisions.js";

/** What is known of a resource before its handler has run. */
export interface ResourceRead {
  /** What the client asked for. */
  readonly uri: string;
  /** As the resource declares it. */
  readonly mimeType: string | undefined;
  /** Whether its type has data in it, and not only text, bytes and contents. */
  readonly holdsData: boolean;
  /** Turns data into the JSON that stands for it, without what its type does not declare. */
  write(value: unknown): unknown;
}

/**
 * From what a resource returns to a `ReadResourceResult`, or `undefined` when the handler found nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export function resourceResult(
  value: unknown,
  read: ResourceRead,
  revision: Revision,
  refuse: RefuseOutput | undefined,
): ResourceResult | undefined {
  if (value === undefined || value === null) return undefined;
  const isContents = read.holdsData ? isResourceContents : isObject;
  const whole = isObject(value) && Array.isArray(value.contents) && value.contents.every(isContents);
  const given = whole ? (value.contents as ResourceContents[]) : toContents(value, read);
  const contents = given.map((each) => keepContents(typedAs(read, each)));
  if (contents.length === 0) return undefined;
  if (refuse) checkList(contents, contentsList, "contents", refuse);
  const projected = revision.lacks.members.includes("_meta") ? contents.map(withoutMeta) : contents;
  return whole && isObject(value._meta)
    ? { contents: projected, _meta: value._meta }
    : { contents: projected };
}

function toContents(value: unknown, { uri, mimeType, write }: ResourceRead): ResourceContents[] {
  if (isResourceContents(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isResourceContents)) return value;
  if (typeof value === "string") return [{ uri, ...(mimeType !== undefined && { mimeType }), text: value }];
  if (isBytes(value)) return [{ uri, mimeType: mimeType ?? "application/octet-stream", blob: base64(value) }];
  return [{ uri, mimeType: mimeType ?? "application/json", text: JSON.stringify(write(value)) }];
}

/** What is said of the resource holds for what it contains, unless that says otherwise. */
function typedAs({ uri, mimeType }: ResourceRead, contents: ResourceContents): ResourceContents {
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

function withoutMeta(contents: ResourceContents): ResourceContents {
  const copy = { ...contents };
  delete copy._meta;
  return copy;
}

/**
 * The encodings of the members of forms.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#encoding-object
 * @module
 */
import type { PartEncoding } from "../client/bodies.js";
import type { Style } from "../client/values.js";
import { type ApiDocument, asList, asObject, asText, type JsonObject } from "../document/document.js";
import type { MediaContent } from "../document/operations.js";

/** Maximum depth of references and parts of schemas that are followed. */
const MAX_DEPTH = 10;

/** Pattern of the media types of files, as opposed to text and JSON. */
const FILE_TYPE =
  /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip|msword|vnd\.(?!.*json))/;

/** Returns the encodings of members that differ from the default, as an argument for the client's encoder. */
export function readEncodings(
  kind: "form" | "multipart",
  { encoding, schema }: MediaContent,
  document: ApiDocument,
  note: (text: string) => void,
): Record<string, Style | PartEncoding> {
  const members = listMembers(schema, document);
  const read = Object.entries(encoding).flatMap(([name, each]): [string, Style | PartEncoding][] => {
    const own = document.resolve(each);
    if (own["allowReserved"] === true)
      note(`reserved characters in the field \`${name}\`, which are percent-encoded`);
    const style = readStyle(own);
    const types = (asText(own["contentType"]) ?? "").split(",").map((type) => type.trim());
    const [type = ""] = types;
    if (kind === "form") {
      const chosen = style ?? (/json/.test(type) ? "json" : undefined);
      return chosen === undefined ? [] : [[name, chosen]];
    }
    const isChoice = types.length > 1 || type.includes("*");
    if (isChoice && isFile(members[name], own, document))
      note(`the media type of the file \`${name}\`, which is sent as application/octet-stream`);
    const isWrong = type !== "" && !/[/+]json\b/.test(type) && isData(members[name], document);
    if (isWrong && style === undefined)
      note(`the media type \`${type}\` of the field \`${name}\`, which is sent as application/json`);
    const part: PartEncoding = {
      ...(type !== "" && !isChoice && !isWrong && { type }),
      ...(style !== undefined && { style }),
      ...readHeaders(name, own, document, note),
    };
    return Object.keys(part).length === 0 ? [] : [[name, part]];
  });
  return Object.fromEntries(read);
}

/** Returns the style of a member; undefined if its media type determines how it is written. */
function readStyle({ style, explode }: JsonObject): Style | undefined {
  if (style === undefined && explode === undefined) return undefined;
  const name = asText(style) ?? "form";
  if (name === "deepObject" || name === "spaceDelimited" || name === "pipeDelimited") return name;
  return explode === false ? "joined" : "form";
}

/** Reads the headers of parts that have a fixed value. Others are reported, because no argument provides their values. */
function readHeaders(
  field: string,
  { headers }: JsonObject,
  document: ApiDocument,
  note: (text: string) => void,
): Pick<PartEncoding, "headers"> {
  const read = Object.entries(asObject(headers)).flatMap(([name, each]): [string, string][] => {
    if (/^content-(?:type|disposition)$/i.test(name)) return [];
    const {
      const: constant,
      enum: choices,
      default: defaultValue,
    } = document.resolve(document.resolve(each)["schema"]);
    const list = asList(choices);
    const value = constant ?? (list.length === 1 ? list[0] : defaultValue);
    if (typeof value === "string" || typeof value === "number") return [[name, String(value)]];
    note(`the header \`${name}\` of the field \`${field}\`, whose value is unknown`);
    return [];
  });
  return read.length === 0 ? {} : { headers: Object.fromEntries(read) };
}

/** Returns the members of an object schema, including those of the parts that it consists of. */
export function listMembers(
  schema: unknown,
  document: ApiDocument,
  depth = 0,
): Readonly<Record<string, unknown>> {
  const source = document.resolve(schema);
  const parts = depth < MAX_DEPTH ? ["allOf", "anyOf", "oneOf"].flatMap((name) => asList(source[name])) : [];
  return Object.assign(
    {},
    ...parts.map((part) => listMembers(part, document, depth + 1)),
    asObject(source["properties"]),
  ) as Record<string, unknown>;
}

/** Returns whether a member, or each item of it, is an object. */
function isData(member: unknown, document: ApiDocument): boolean {
  const { type, items, properties } = document.resolve(member);
  if (items !== undefined) return isData(items, document);
  return properties !== undefined || [type].flat().includes("object");
}

/** Returns whether a member, or each item of it, is a file. */
export function isFile(member: unknown, encoding: unknown, document: ApiDocument, depth = 0): boolean {
  const source = document.resolve(member);
  const { format, contentMediaType, contentEncoding, items, type } = source;
  if (depth > MAX_DEPTH) return false;
  if (items !== undefined) return isFile(items, encoding, document, depth + 1);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((name) => asList(source[name]));
  if (parts.some((part) => isFile(part, encoding, document, depth + 1))) return true;
  if (format === "binary" || contentEncoding === "binary") return true;
  if (contentEncoding !== undefined || ![undefined, "string"].includes(type as never) || parts.length > 0)
    return false;
  const mediaType = asText(contentMediaType) ?? asText(asObject(encoding)["contentType"]) ?? "";
  return FILE_TYPE.test(mediaType);
}

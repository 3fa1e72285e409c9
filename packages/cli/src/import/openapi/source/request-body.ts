import type { JsonSchema } from "@tenon/runtime/manifest";
import { shorten } from "../document/descriptions.js";
import type { ApiDocument } from "../document/document.js";
import type { MediaContent, Operation } from "../document/operations.js";
import { mergeParts } from "../schemas/conjunction.js";
import type { Schemas } from "../schemas/schemas.js";
import { isFile, listMembers, readEncodings } from "./encodings.js";

/** The arguments that form a body, and its encoding. */
export interface BodyPlan {
  /** Whether the members of the body are separate arguments; otherwise the body is one argument. */
  readonly isSpread: boolean;
  /** The name of the single argument. */
  readonly argument: string;
  /** The schema of all arguments, if there are no parameters. */
  readonly whole: JsonSchema | undefined;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** The function of the client that encodes the body. */
  readonly encoder: `${Kind}Body`;
  /** The expression that encodes the variable `body`. */
  readonly source: string;
}

type Kind = keyof typeof MEDIA_TYPES;

/** The media type that the client sends by default for each kind of body. */
const MEDIA_TYPES = {
  json: "application/json",
  lines: "application/x-ndjson",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  text: "text/plain",
  bytes: "application/octet-stream",
} as const;

/** Kinds of bodies by their media types, in order of preference. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^application\/json(;|$)/, "json"],
  [/ndjson|jsonl|json-?lines/, "lines"],
  [/json/, "json"],
  [/^application\/x-www-form-urlencoded/, "form"],
  [/^multipart\/form-data/, "multipart"],
  [/^text\//, "text"],
  [/xml|yaml/, "text"],
  [/graphql|sql/, "text"],
  [/(?:)/, "bytes"],
];

/** Bytes are sent as base64, and are a `Uint8Array` in TypeScript. */
const BYTES: JsonSchema = { type: "string", format: "byte", contentEncoding: "base64" };

const ANY_LIST: JsonSchema = { type: "array", items: {} };
const ANY_OBJECT: JsonSchema = { type: "object", additionalProperties: {} };

/**
 * Plans the body of an operation. The members of an object become separate arguments if no other argument has their
 * names and the object is always sent; any other body is the argument `body`.
 *
 * @param taken names of other arguments
 */
export function planBody(
  { body }: Operation,
  document: ApiDocument,
  schemas: Schemas,
  taken: ReadonlySet<string>,
  note: (text: string) => void,
): BodyPlan | undefined {
  if (body === undefined) return undefined;
  const rank = ({ type }: MediaContent): number => KINDS.findIndex(([pattern]) => pattern.test(type));
  const [content] = body.content.toSorted((a, b) => rank(a) - rank(b));
  if (content === undefined) return undefined;
  const [, kind] = KINDS[rank(content)] ?? [undefined, "bytes" as const];
  const schema = getBodySchema(kind, content, document, schemas);
  const argument = ["body", "requestBody", "contentOfBody"].find((name) => !taken.has(name)) ?? "body_";
  const encoder = `${kind}Body` as const;
  const fixed = {
    argument,
    encoder,
    source: `${encoder}(${writeEncoderArguments(kind, content, document, note).join(", ")})`,
  };
  const target = schemas.resolve(schema);
  if (isSpreadable(target, taken, body.isRequired)) {
    const { properties = {}, required = [] } = target;
    const whole = schema.$ref === undefined ? target : { $ref: schema.$ref };
    return { ...fixed, isSpread: true, whole, properties, required };
  }
  const description = body.description ?? (kind === "text" ? `As ${content.type}.` : undefined);
  const comment = description === undefined ? {} : { description: shorten(description, 200) };
  return {
    ...fixed,
    isSpread: false,
    whole: undefined,
    properties: { [argument]: { ...comment, ...schema } },
    required: body.isRequired ? [argument] : [],
  };
}

/** Returns the arguments for the client's function that encodes the body. Those after the body are included only if needed. */
function writeEncoderArguments(
  kind: Kind,
  content: MediaContent,
  document: ApiDocument,
  note: (text: string) => void,
): string[] {
  const { type } = content;
  const encodings =
    kind === "form" || kind === "multipart" ? readEncodings(kind, content, document, note) : {};
  const hasEncodings = Object.keys(encodings).length > 0;
  if (kind === "multipart") return hasEncodings ? ["body", JSON.stringify(encodings)] : ["body"];
  const mediaType = type === MEDIA_TYPES[kind] || type.includes("*") ? [] : [JSON.stringify(type)];
  const isUsual = kind !== "form" || (!hasEncodings && mediaType.length === 0);
  return isUsual ? ["body", ...mediaType] : ["body", JSON.stringify(encodings), ...mediaType];
}

function getBodySchema(
  kind: Kind,
  { schema, encoding }: MediaContent,
  document: ApiDocument,
  schemas: Schemas,
): JsonSchema {
  if (kind === "bytes") return BYTES;
  if (kind === "text") return { type: "string" };
  if (schema === undefined) return kind === "json" ? {} : kind === "lines" ? ANY_LIST : ANY_OBJECT;
  const whole = schemas.read(schema, "in");
  if (kind === "json") return whole;
  if (kind === "lines")
    return schemas.resolve(whole).type === "array" ? whole : { type: "array", items: whole };
  if (!isObjectSchema(whole, schemas)) return ANY_OBJECT;
  if (kind === "form") return whole;
  // Only the document specifies which members of a form are bytes.
  const declared = listMembers(schema, document);
  const bytes = Object.keys(declared).filter((name) => isFile(declared[name], encoding[name], document));
  if (bytes.length === 0) return whole;
  const merged = mergeParts(whole, schemas.resolve);
  const members = bytes.map((name): [string, JsonSchema] => {
    const member = merged.properties?.[name] ?? {};
    const { description } = member;
    const comment = description === undefined ? {} : { description };
    const isList = schemas.resolve(member).type === "array";
    return [name, isList ? { type: "array", items: BYTES, ...comment } : { ...BYTES, ...comment }];
  });
  return { ...merged, properties: { ...merged.properties, ...Object.fromEntries(members) } };
}

function isObjectSchema(schema: JsonSchema, schemas: Schemas, depth = 0): boolean {
  const { type, anyOf, allOf } = schemas.resolve(schema);
  const isEach = (each: JsonSchema): boolean => depth < 10 && isObjectSchema(each, schemas, depth + 1);
  if (anyOf !== undefined || allOf !== undefined) return [...(anyOf ?? []), ...(allOf ?? [])].every(isEach);
  return [type].flat().every((each) => each === "object" || each === "null");
}

function isSpreadable(schema: JsonSchema, taken: ReadonlySet<string>, isRequired: boolean): boolean {
  const { type, properties = {}, required = [], additionalProperties = false, anyOf, allOf } = schema;
  const names = Object.keys(properties);
  const isPlain =
    type === "object" && additionalProperties === false && anyOf === undefined && allOf === undefined;
  return (
    isPlain &&
    names.length > 0 &&
    (isRequired || required.length === 0) &&
    names.every((name) => !taken.has(name) && /^[a-zA-Z0-9_.-]{1,64}$/.test(name))
  );
}

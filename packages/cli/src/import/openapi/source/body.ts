import type { JsonSchema } from "@tenon/runtime/manifest";
import type { CallPart } from "./client-part.js";
import { childrenOf, childOf, recordOf } from "../document/document.js";
import type { MediaContent, Operation } from "../document/operations.js";
import type { Schemas } from "../schemas/schemas.js";
import { shortened } from "../document/short-text.js";

/** How a body is sent, and which arguments it is made of. */
export interface Body {
  readonly kind: "json" | "form" | "multipart" | "text" | "bytes";
  /** As it is sent, where it is not what the kind says already. */
  readonly mediaType: string | undefined;
  /** The members of the body are arguments beside the parameters; otherwise it is one argument, `body`. */
  readonly isSpread: boolean;
  /** The name of that argument. */
  readonly argument: string;
  /** The schema of all arguments, where there are no parameters. */
  readonly whole: JsonSchema | undefined;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  /** Members of a form that are written as `name[member]`. */
  readonly deep: readonly string[];
  readonly parts: readonly CallPart[];
}

/** Bytes travel as base64, and TypeScript has them as `Uint8Array`. */
const BYTES: JsonSchema = { type: "string", format: "byte", contentEncoding: "base64" };

/**
 * The body of an operation. The members of an object are arguments by themselves, where nothing else has their names and the
 * object is always sent; any other body is the argument `body`.
 */
export function bodyOf(
  { body, method }: Operation,
  schemas: Schemas,
  taken: ReadonlySet<string>,
): Body | undefined {
  // `fetch` refuses one.
  if (body === undefined || method === "GET") return undefined;
  const [content] = body.content.toSorted((a, b) => rankOf(a.type) - rankOf(b.type));
  if (content === undefined) return undefined;
  const kind = kindOf(content);
  const schema = schemaFor(kind, content, schemas);
  const parts: CallPart[] = [kind];
  const deep = kind === "form" ? deepOf(content) : [];
  const mediaType =
    DEFAULT_TYPES[kind] === content.type || content.type.includes("*") ? undefined : content.type;
  const target = schema.$ref === undefined ? schema : (schemas.definitions[schema.$ref.slice(8)] ?? {});
  const argument = ["body", "requestBody", "contentOfBody"].find((name) => !taken.has(name)) ?? "body_";
  const fixed = { kind, mediaType, deep, parts, argument };
  if (isSpreadable(target, taken, body.isRequired)) {
    const { properties = {}, required = [] } = target;
    return {
      ...fixed,
      isSpread: true,
      whole: schema.$ref === undefined ? target : { $ref: schema.$ref },
      properties,
      required,
    };
  }
  const description = body.description ?? (kind === "text" ? `As ${content.type}.` : undefined);
  return {
    ...fixed,
    isSpread: false,
    whole: undefined,
    properties: {
      [argument]: {
        ...schema,
        ...(description !== undefined &&
          schema.description === undefined && { description: shortened(description, 200) }),
      },
    },
    required: body.isRequired ? [argument] : [],
  };
}

const DEFAULT_TYPES: Readonly<Record<Body["kind"], string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  text: "text/plain",
  bytes: "application/octet-stream",
};

function rankOf(type: string): number {
  const order = [
    /^application\/json(;|$)/,
    /json/,
    /x-www-form-urlencoded/,
    /^multipart\/form-data/,
    /^text\//,
    /xml|yaml/,
  ];
  const rank = order.findIndex((pattern) => pattern.test(type));
  return rank < 0 ? order.length : rank;
}

function kindOf({ type }: MediaContent): Body["kind"] {
  if (/json/.test(type)) return "json";
  if (type.startsWith("application/x-www-form-urlencoded")) return "form";
  if (type.startsWith("multipart/form-data")) return "multipart";
  return /^text\/|xml|yaml|graphql|sql/.test(type) ? "text" : "bytes";
}

function schemaFor(kind: Body["kind"], { schema }: MediaContent, schemas: Schemas): JsonSchema {
  if (kind === "bytes") return BYTES;
  if (kind === "text") return { type: "string" };
  if (schema === undefined) return kind === "json" ? {} : { type: "object", additionalProperties: {} };
  const said = schemas.schemaOf(schema, "in");
  if (kind === "json") return said;
  // Forms have members.
  if (!isObject(said, schemas)) return { type: "object", additionalProperties: {} };
  if (kind === "form") return said;
  const target = said.$ref === undefined ? said : (schemas.definitions[said.$ref.slice(8)] ?? {});
  // A form of files: which members are bytes only the original says.
  const bytes = new Set(
    childrenOf(childOf(schema, "properties")).flatMap(({ key, part }) => (isBytes(part.value) ? [key] : [])),
  );
  if (target.properties === undefined) return said;
  const properties = Object.fromEntries(
    Object.entries(target.properties).map(([name, member]) => {
      if (!bytes.has(name)) return [name, member];
      const { description } = member;
      const note = description === undefined ? {} : { description };
      return [
        name,
        member.type === "array" ? { type: "array" as const, items: BYTES, ...note } : { ...BYTES, ...note },
      ];
    }),
  );
  return bytes.size === 0 ? said : { ...target, properties };
}

function isObject(schema: JsonSchema, schemas: Schemas, depth = 0): boolean {
  const { type, anyOf, allOf } =
    schema.$ref === undefined ? schema : (schemas.definitions[schema.$ref.slice(8)] ?? {});
  const isEach = (each: JsonSchema): boolean => depth < 10 && isObject(each, schemas, depth + 1);
  if (anyOf !== undefined || allOf !== undefined) return [...(anyOf ?? []), ...(allOf ?? [])].every(isEach);
  return [type].flat().every((each) => each === "object" || each === "null");
}

function isBytes(value: unknown): boolean {
  const { format, contentMediaType, contentEncoding, items } = recordOf(value);
  if (items !== undefined) return isBytes(items);
  return (
    format === "binary" || contentMediaType === "application/octet-stream" || contentEncoding === "binary"
  );
}

function deepOf({ encoding }: MediaContent): string[] {
  return Object.entries(encoding).flatMap(([name, each]) =>
    recordOf(each)["style"] === "deepObject" ? [name] : [],
  );
}

function isSpreadable(schema: JsonSchema, taken: ReadonlySet<string>, isRequired: boolean): boolean {
  const { type, properties = {}, required = [], additionalProperties = false } = schema;
  const names = Object.keys(properties);
  const isPlain =
    type === "object" &&
    additionalProperties === false &&
    schema.anyOf === undefined &&
    schema.allOf === undefined;
  return (
    isPlain &&
    names.length > 0 &&
    (isRequired || required.length === 0) &&
    names.every((name) => !taken.has(name) && /^[a-zA-Z0-9_.-]{1,64}$/.test(name))
  );
}

import { toStandaloneTool } from "@tenon/compiler";
import type { JsonSchema, Tool } from "@tenon/runtime/manifest";
import type { MediaContent, Operation } from "../document/operations.js";
import type { Schemas } from "../schemas/schemas.js";

/** The result of a tool for the API's response. */
export interface ResponsePlan {
  /** The method of the client that reads it. */
  readonly reader: "json" | "text" | "content" | "done";
  /** Undefined for text, bytes, an empty response, or one that the document does not describe. */
  readonly schema?: JsonSchema;
  /** The type of the method's result if there is no schema. */
  readonly result: string;
  /** The media type to request, if it is not JSON. */
  readonly accept?: string;
}

/** Maximum length of a result schema. A longer one would cost a model more than the call, so the result has no schema. */
const MAX_SCHEMA_CHARACTERS = 30_000;

/** Plans the result of all successful responses. Error responses become tool errors, regardless of their content. */
export function planResponse({ responses }: Operation, schemas: Schemas): ResponsePlan {
  const successful = responses.filter(({ status }) => status.startsWith("2"));
  const read = successful.length > 0 ? successful : responses.filter(({ status }) => status === "default");
  const best = read.flatMap(({ content }) => content.toSorted((a, b) => rank(a) - rank(b)).slice(0, 1));
  const [first] = best;
  if (first === undefined) return { reader: "done", result: "void" };
  const accept = first.type.startsWith("application/json") ? {} : { accept: first.type };
  const worst = Math.max(...best.map(rank));
  if (worst === MEDIA.length) return { reader: "content", result: "Content", ...accept };
  if (worst === TEXT) return { reader: "text", result: "string", ...accept };
  return { reader: "json", ...planJson(best, best.length < read.length, schemas), ...accept };
}

/** Media types in order of preference: JSON, other JSON, text. Any others are files. */
const MEDIA: readonly RegExp[] = [
  /^application\/json($|;)/,
  /[/+]json($|;)|^\*\/\*$/,
  /^text\/|xml|yaml|javascript|csv|ndjson|jsonl/,
];
const TEXT = 2;

function rank({ type }: MediaContent): number {
  const index = MEDIA.findIndex((pattern) => pattern.test(type));
  return index < 0 ? MEDIA.length : index;
}

function planJson(
  contents: readonly MediaContent[],
  isSometimesEmpty: boolean,
  schemas: Schemas,
): { schema?: JsonSchema; result: string } {
  const all = contents.map(({ schema }) => (schema === undefined ? {} : schemas.read(schema, "out")));
  if (isSometimesEmpty) all.push({ type: "null" });
  const different = [...new Map(all.map((schema) => [JSON.stringify(schema), schema])).values()];
  const schema: JsonSchema = different.length === 1 ? { ...different[0] } : { anyOf: different };
  const isUndescribed = different.some((each) => Object.keys(each).every((key) => key === "description"));
  if (isUndescribed) return { result: "unknown" };
  if (countCharacters(schema, schemas) > MAX_SCHEMA_CHARACTERS) return { result: "unknown" };
  if (schemas.resolve(schema).type === "string") return { result: "string" };
  delete schema.description;
  return { schema, result: "unknown" };
}

/** Counts the characters of a schema and of everything that it refers to. */
function countCharacters(schema: JsonSchema, { definitions }: Schemas): number {
  const tool = { name: "", inputSchema: schema as Tool["inputSchema"] };
  return JSON.stringify(toStandaloneTool(tool, definitions).inputSchema).length;
}

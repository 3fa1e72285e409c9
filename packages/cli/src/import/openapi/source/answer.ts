import type { JsonSchema } from "@tenon/runtime/manifest";
import type { CallPart } from "./client-part.js";
import type { MediaContent, Operation } from "../document/operations.js";
import type { Schemas } from "../schemas/schemas.js";

/** What a tool makes of the API's answer. */
export interface AnswerPlan {
  /** The method of the client that reads it. */
  readonly reader: "json" | "text" | "content" | "done";
  /** Undefined for what is no data: text, bytes, nothing, or what nobody described. */
  readonly schema: JsonSchema | undefined;
  /** The type of the method's result where there is no schema. */
  readonly result: string;
  /** What is asked for, if not JSON. */
  readonly accept: string | undefined;
  readonly parts: readonly CallPart[];
}

/** More text than this says nothing to a model that a call would not: such answers are data without a schema. */
const MOST_SCHEMA_CHARACTERS = 30_000;

/** What the answers of success are, together: an error answer is an error of the tool, whatever its content. */
export function answerOf({ answers }: Operation, schemas: Schemas): AnswerPlan {
  const good = answers.filter(({ status }) => status.startsWith("2"));
  const success = good.length > 0 ? good : answers.filter(({ status }) => status === "default");
  const best = success.flatMap(({ content }) => {
    const [first] = content.toSorted((a, b) => rankOf(a) - rankOf(b));
    return first === undefined ? [] : [first];
  });
  const isSometimesEmpty = best.length < success.length;
  const [first] = best;
  if (first === undefined) return { ...NOTHING_SAID, reader: "done", result: "void", parts: ["done"] };
  const json = best.filter(({ type }) => isJson(type));
  const accept = isJson(first.type) && !first.type.startsWith("application/json") ? first.type : undefined;
  if (json.length === best.length) return { ...jsonAnswer(json, isSometimesEmpty, schemas), accept };
  if (best.every(({ type }) => isText(type) || isJson(type)))
    return { ...NOTHING_SAID, reader: "text", result: "string", accept: first.type, parts: ["text answer"] };
  return { ...NOTHING_SAID, reader: "content", result: "Content", accept: first.type, parts: ["content"] };
}

const NOTHING_SAID = { schema: undefined, accept: undefined } as const;

function jsonAnswer(
  contents: readonly MediaContent[],
  isSometimesEmpty: boolean,
  schemas: Schemas,
): Omit<AnswerPlan, "accept"> {
  const said = contents.map(({ schema }) => (schema === undefined ? {} : schemas.schemaOf(schema, "out")));
  const all = [...said, ...(isSometimesEmpty ? [{ type: "null" } as const] : [])];
  const texts = all.map((each) => JSON.stringify(each));
  const different = all.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
  const [only = {}] = different;
  const schema: JsonSchema = different.length === 1 ? only : { anyOf: different };
  const plan = { reader: "json", parts: ["json answer"] } as const;
  const isAnything = different.some((each) => Object.keys(each).every((key) => key === "description"));
  if (isAnything || sizeOf(schema, schemas) > MOST_SCHEMA_CHARACTERS)
    return { ...plan, schema: undefined, result: "unknown" };
  const target = schema.$ref === undefined ? schema : (schemas.definitions[schema.$ref.slice(8)] ?? {});
  if (target.type === "string") return { ...plan, schema: undefined, result: "string" };
  const { description: _, ...plain } = schema;
  return { ...plan, schema: plain, result: "unknown" };
}

/** How long a schema is with all that it refers to, as far as that matters. */
export function sizeOf(schema: JsonSchema, schemas: Schemas): number {
  const seen = new Set<string>();
  let size = 0;
  const left = [JSON.stringify(schema)];
  for (let next = left.pop(); next !== undefined && size <= MOST_SCHEMA_CHARACTERS; next = left.pop()) {
    size += next.length;
    for (const [, name = ""] of next.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
      if (seen.has(name)) continue;
      seen.add(name);
      left.push(JSON.stringify(schemas.definitions[name] ?? {}));
    }
  }
  return size;
}

function rankOf({ type }: MediaContent): number {
  if (type.startsWith("application/json")) return 0;
  if (isJson(type)) return 1;
  return isText(type) ? 2 : 3;
}

function isJson(type: string): boolean {
  return /[/+]json($|;)/.test(type) || type === "*/*";
}

function isText(type: string): boolean {
  return /^text\/|xml|yaml|javascript|csv|ndjson|jsonl/.test(type);
}

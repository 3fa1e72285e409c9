/**
 * From what a handler returns to the members of a result, as JSON text.
 * @module
 */
import { isObject } from "../protocol/jsonrpc.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { wrapsResults } from "../protocol/projection.js";
import type { Meta } from "../protocol/specification.js";
import type { Revision } from "../protocol/revisions.js";

/** The members of a result as JSON text without braces, and the `_meta` that goes with them. */
export interface ResultMembers {
  members: string;
  meta?: Meta;
}

/** Of a tool that returns nothing. */
export const NO_RESULT: ResultMembers = { members: '"content":[]' };

/** Of a tool that returns text. */
export function textResult(value: unknown): ResultMembers {
  if (value === undefined || value === null) return NO_RESULT;
  return { members: textMember(typeof value === "string" ? value : jsonText(value)) };
}

/**
 * Of a tool that returns data.
 *
 * @param value JSON, or what `jsonText` makes it of.
 * @param schema The listed output schema, in its newest form.
 */
export function structuredResult(
  value: unknown,
  schema: JsonSchema | undefined,
  revision: Revision,
): ResultMembers {
  const natural = jsonText(value);
  if (revision.structuredContent === "none") return { members: textMember(natural) };
  // Where no schema says so, the value decides.
  const wraps = wrapsResults(schema ?? { type: isObject(value) ? "object" : "null" }, revision);
  const json = wraps ? `{"result":${natural}}` : natural;
  return { members: `${textMember(json)},"structuredContent":${json}` };
}

/** A failed tool: a result, so that the model reads it and can do better. */
export function toolErrorMembers(message: string): string {
  return `${textMember(message)},"isError":true`;
}

function textMember(text: string): string {
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
}

/** JSON text of any value; what JSON has no form for is written in the form the compiler gives it. */
export function jsonText(value: unknown): string {
  // Looking through a value is many times cheaper than a function called for each of its parts.
  const text = isPlain(value, MOST_LEVELS) ? JSON.stringify(value) : JSON.stringify(value, richer);
  return text ?? "null";
}

/** Values nested deeper, or in themselves, are not looked through. */
const MOST_LEVELS = 64;

/** True for what `JSON.stringify` writes rightly by itself. */
function isPlain(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (!isPlain(item, levels - 1)) return false;
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value instanceof Date;
  if ("toJSON" in value) return false;
  for (const name in value) {
    if (!isPlain((value as Record<string, unknown>)[name], levels - 1)) return false;
  }
  return true;
}

function richer(this: unknown, _key: string, value: unknown): unknown {
  if (value instanceof Set || value instanceof Map) return [...(value as Iterable<unknown>)];
  if (value instanceof RegExp) return value.source;
  return typeof value === "bigint" ? value.toString() : value;
}

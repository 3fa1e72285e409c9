/**
 * Removes or escapes invisible characters that change how a terminal or a model reads the text around them.
 *
 * @see https://trojansource.codes
 * @module
 */
/* oxlint-disable no-control-regex -- this module matches control characters */
import type { Sanitize } from "../../api/define-server.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { CreateMessageParams, ToolResult } from "../../protocol/specification.js";
import type { Result } from "./envelope.js";
import { StructuredResult, TextResult } from "./tool-result.js";

/** Matches text that needs a closer look: one of these characters may be part of a line ending or of a flag. */
const SUSPECT = /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uDB40]/;

/** Unchanged: Windows line endings, and the flags of England, Scotland, and Wales, which contain invisible letters. */
const PRESERVED = /(\r\n|\uD83C\uDFF4(?:\uDB40[\uDC20-\uDC7E])+\uDB40\uDC7F)/;

/** Complete control sequences of terminals. */
const COMMANDS = [
  // Colors, movements of the cursor, clearing the screen.
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]/,
  // Titles, links, and the clipboard, with their values.
  /(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)/,
  /\u001B[ -/]*[0-~]/,
];

/** Control characters, embeddings, overrides, and isolates of the text direction, and invisible letters. */
const CHARACTERS = /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|\uDB40[\uDC00-\uDC7F]/;

/** Ends a line, as a line feed does. */
const NEXT_LINE = "\u0085";

const REMOVED = matchAny([PRESERVED, ...COMMANDS, CHARACTERS]);
const ESCAPED = matchAny([PRESERVED, CHARACTERS]);

/** Returns text that is safe to display. */
export type SanitizeText = (text: string) => string;

/**
 * Creates a function that treats text according to the `sanitize` option of `defineServer`.
 *
 * @example
 * createTextSanitizer("remove")("\u001b[31mred\u001b[0m") // "red"
 */
export function createTextSanitizer(mode: Sanitize): SanitizeText {
  if (mode === "off") return (text) => text;
  return (text) => {
    if (!SUSPECT.test(text)) return text;
    // In JSON, an escaped character has the same value.
    const isEscaped = mode === "escape" || isJson(text);
    return text.replace(isEscaped ? ESCAPED : REMOVED, (found: string, preserved?: string) => {
      if (preserved !== undefined) return preserved;
      if (found === "\r") return "\n";
      if (isEscaped) return escape(found);
      return found === NEXT_LINE ? "\n" : "";
    });
  };
}

/** Creates a function for the text in the result of a tool, a prompt, or a resource. Data stays unchanged. */
export function createResultSanitizer(mode: Sanitize): (result: Result) => Result {
  if (mode === "off") return (result) => result;
  const sanitize = createTextSanitizer(mode);
  return (result): Result => {
    // Most results are a single text block and need no search.
    const isStructured = result instanceof StructuredResult;
    if (!isStructured && !(result instanceof TextResult)) {
      return sanitizeMembers(result, RESULT_MEMBERS, sanitize) as Result;
    }
    const { text } = result.content[0];
    const shown = sanitize(text);
    if (shown === text) return result as ToolResult;
    const sanitized: ToolResult = isStructured
      ? new StructuredResult(result.structuredContent, shown)
      : new TextResult(shown);
    return sanitized;
  };
}

/** Sanitizes the text of a sampling request, which the client's model reads. */
export function sanitizeSampling(params: CreateMessageParams, sanitize: SanitizeText): CreateMessageParams {
  return sanitizeMembers(params as object, ["systemPrompt", "messages"], sanitize) as CreateMessageParams;
}

/** The members of a result that are text or contain it. */
const RESULT_MEMBERS = ["description", "content", "messages", "contents"];

/** The members of items that are text or contain it. */
const ITEM_MEMBERS = ["text", "name", "title", "description", "content", "resource"];

function sanitizePart(part: unknown, sanitize: SanitizeText): unknown {
  if (typeof part === "string") return sanitize(part);
  if (isObject(part)) return sanitizeMembers(part, ITEM_MEMBERS, sanitize);
  if (!Array.isArray(part)) return part;
  const list = part.map((each) => sanitizePart(each, sanitize));
  return list.some((each, index) => each !== part[index]) ? list : part;
}

/** Returns the value, or a copy if any of the members changes. */
function sanitizeMembers(value: object, names: readonly string[], sanitize: SanitizeText): object {
  const changed = names.flatMap((name) => {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    const sanitized = sanitizePart(member, sanitize);
    return sanitized === member ? [] : [[name, sanitized]];
  });
  return changed.length === 0 ? value : { ...value, ...(Object.fromEntries(changed) as object) };
}

function matchAny(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "g");
}

function escape(found: string): string {
  return found.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function isJson(text: string): boolean {
  if (!/^\s*["[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

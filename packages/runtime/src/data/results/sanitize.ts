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

/** Matches text that needs a closer look: one of these characters may be part of a line end or of a flag. */
const SUSPECT = /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uDB40]/;

/** Unchanged: line ends of Windows, and the flags of England, Scotland and Wales, which contain invisible letters. */
const PRESERVED = /(\r\n|\uD83C\uDFF4(?:\uDB40[\uDC20-\uDC7E])+\uDB40\uDC7F)/;

/** Whole commands of terminals. */
const COMMANDS = [
  // Colors, movements of the cursor, clearing the screen.
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]/,
  // Titles, links and the clipboard, with their values.
  /(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)/,
  /\u001B[ -/]*[0-~]/,
];

/** Control characters, embeddings, overrides and isolates of the text direction, and invisible letters. */
const CHARACTERS = /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|\uDB40[\uDC00-\uDC7F]/;

/** Ends a line, as a line feed does. */
const NEXT_LINE = "\u0085";

const REMOVED = matchAny([PRESERVED, ...COMMANDS, CHARACTERS]);
const ESCAPED = matchAny([PRESERVED, CHARACTERS]);

/** Returns text that is safe to display. */
export type SanitizeText = (text: string) => string;

/**
 * Creates a function that treats text according to `sanitize` of `ServerConfig`.
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

/** Creates a function for the text in the result of a tool, a prompt or a resource. Data stays unchanged. */
export function createResultSanitizer(mode: Sanitize): (result: Result) => Result {
  if (mode === "off") return (result) => result;
  const sanitize = createTextSanitizer(mode);
  return (result): Result => {
    // Most results are a single text and need no search.
    const isStructured = result instanceof StructuredResult;
    if (!isStructured && !(result instanceof TextResult)) {
      return sanitizeLists(result as Members, sanitize) as Result;
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
  const shown = sanitizeLists(params as unknown as Members, sanitize);
  return mapMembers(shown, ["systemPrompt"], (text) =>
    typeof text === "string" ? sanitize(text) : text,
  ) as unknown as CreateMessageParams;
}

type Members = Readonly<Record<string, unknown>>;

/** The lists in results, and the members of their items that are text or contain further items. */
const LISTS = ["content", "messages", "contents"];
const TEXTS = ["text", "name", "title", "description"];
const CONTAINERS = ["content", "resource"];

function sanitizeLists(result: Members, sanitize: SanitizeText): Members {
  const described = mapMembers(result, ["description"], (text) =>
    typeof text === "string" ? sanitize(text) : text,
  );
  return mapMembers(described, LISTS, (list) => (Array.isArray(list) ? sanitizeItem(list, sanitize) : list));
}

function sanitizeItem(item: unknown, sanitize: SanitizeText): unknown {
  if (Array.isArray(item)) {
    const list = item.map((each) => sanitizeItem(each, sanitize));
    return list.some((each, index) => each !== item[index]) ? list : item;
  }
  if (!isObject(item)) return item;
  const shown = mapMembers(item, TEXTS, (text) => (typeof text === "string" ? sanitize(text) : text));
  return mapMembers(shown, CONTAINERS, (inner) => sanitizeItem(inner, sanitize));
}

/** Returns the value, or a copy if mapping changes any of the members. */
function mapMembers(value: Members, names: readonly string[], map: (member: unknown) => unknown): Members {
  const changed = names.flatMap((name) => {
    const member = value[name];
    const mapped = member === undefined ? undefined : map(member);
    return mapped === member ? [] : [[name, mapped]];
  });
  return changed.length === 0 ? value : { ...value, ...(Object.fromEntries(changed) as Members) };
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

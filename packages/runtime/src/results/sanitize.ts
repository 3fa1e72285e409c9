/**
 * Characters that no reader sees, and that change what a terminal or a model makes of the text around them.
 *
 * @see https://trojansource.codes
 * @module
 */
/* oxlint-disable no-control-regex -- they are what this is about */
import type { Sanitize } from "../api/define-server.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { CreateMessageParams, ToolResult } from "../protocol/specification.js";
import type { Result } from "./envelope.js";
import { StructuredResult, TextResult } from "./tool-result.js";

/** Any of them; of line ends and of the halves of letters it takes a closer look to tell. */
const SUSPECT = /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uDB40]/;

/** Stays: Windows' line ends, and the flags of England, Scotland and Wales, which are written in invisible letters. */
const KEPT = /(\r\n|\uD83C\uDFF4(?:\uDB40[\uDC20-\uDC7E])+\uDB40\uDC7F)/;

/** What terminals take for a command, as a whole. */
const COMMANDS = [
  // Colours, movements of the cursor, clearing the screen.
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]/,
  // Titles, links, the clipboard: with all that they are given.
  /(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)/,
  /\u001B[ -/]*[0-~]/,
];

/** Controls, embeddings, overrides and isolates of the direction, invisible letters. */
const CHARACTERS = /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]|\uDB40[\uDC00-\uDC7F]/;

/** Ends a line, as a line feed does. */
const NEXT_LINE = "\u0085";

const REMOVED = anyOf([KEPT, ...COMMANDS, CHARACTERS]);
const WRITTEN = anyOf([KEPT, CHARACTERS]);

/** Text as it may be shown. */
export type SanitizeText = (text: string) => string;

/**
 * Treats text as `sanitize` of `ServerConfig` says.
 *
 * @example
 * createTextSanitizer("remove")("\u001b[31mred\u001b[0m") // "red"
 */
export function createTextSanitizer(mode: Sanitize): SanitizeText {
  if (mode === "off") return (text) => text;
  return (text) => {
    if (!SUSPECT.test(text)) return text;
    // In JSON, a character that is written out is the same value still.
    const isWritten = mode === "escape" || isJson(text);
    return text.replace(isWritten ? WRITTEN : REMOVED, (found: string, kept?: string) => {
      if (kept !== undefined) return kept;
      if (found === "\r") return "\n";
      if (isWritten) return escape(found);
      return found === NEXT_LINE ? "\n" : "";
    });
  };
}

/** The same for the text in the result of a tool, a prompt or a resource. Data stays what it is. */
export function createResultSanitizer(mode: Sanitize): (result: Result) => Result {
  if (mode === "off") return (result) => result;
  const sanitize = createTextSanitizer(mode);
  return (result): Result => {
    // Most results are of one text, and need not be looked through.
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

/** The same for what the client's model is to read. */
export function sanitizeSampling(params: CreateMessageParams, sanitize: SanitizeText): CreateMessageParams {
  const shown = sanitizeLists(params as unknown as Members, sanitize);
  return mapMembers(shown, ["systemPrompt"], (text) =>
    typeof text === "string" ? sanitize(text) : text,
  ) as unknown as CreateMessageParams;
}

type Members = Readonly<Record<string, unknown>>;

/** The lists that results consist of, and the members of their items that are text, or hold more of the kind. */
const LISTS = ["content", "messages", "contents"];
const TEXTS = ["text", "name", "title", "description"];
const HOLDERS = ["content", "resource"];

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
  return mapMembers(shown, HOLDERS, (held) => sanitizeItem(held, sanitize));
}

/** The value, or a copy where any of the members becomes another. */
function mapMembers(value: Members, names: readonly string[], map: (member: unknown) => unknown): Members {
  const changed = names.flatMap((name) => {
    const member = value[name];
    const mapped = member === undefined ? undefined : map(member);
    return mapped === member ? [] : [[name, mapped]];
  });
  return changed.length === 0 ? value : { ...value, ...(Object.fromEntries(changed) as Members) };
}

function anyOf(patterns: readonly RegExp[]): RegExp {
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

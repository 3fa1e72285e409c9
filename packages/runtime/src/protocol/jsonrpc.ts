/**
 * JSON-RPC 2.0 as MCP uses it: validation of messages, and the text of responses.
 *
 * @see https://www.jsonrpc.org/specification
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @module
 */
import { toWellFormedJson } from "./well-formed.js";

export type RequestId = string | number;
/** Parameters of a message that has none. */
export const NO_PARAMS: Params = Object.freeze({});

export type Params = Record<string, unknown>;

/** Well-formed message as received. */
export interface Message {
  id?: RequestId;
  method?: string;
  /** An object in every request; unchecked in notifications. */
  params?: Params;
  result?: unknown;
  error?: unknown;
}

/**
 * Returns whether a value is a valid request ID. Integers beyond 2^53 are not valid: several of them parse to the same
 * number, so a response could reach the wrong request.
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/**
 * Describes what is wrong with one parsed JSON value (not a batch) as a message, or returns `undefined` for a valid
 * message. A message with an ID and a method must receive a response, even if it is malformed. A message that expects
 * no response, such as a notification with invalid parameters, is still valid. Unknown members are ignored.
 */
export function findMessageProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "A message must be a JSON object.";
  const { jsonrpc, id, method, params } = value;
  const isResponse = value.result !== undefined || value.error !== undefined;
  if (method === undefined) {
    return isResponse ? undefined : "A message needs a `method`, a `result`, or an `error`.";
  }
  if (isResponse) return "A message with a `method` must have no `result` and no `error`.";
  if (typeof method !== "string") return "`method` must be a string.";
  if (id !== undefined && !isRequestId(id)) {
    return "`id` must be a string, or an integer from -(2^53 - 1) to 2^53 - 1.";
  }
  if (jsonrpc !== "2.0") return '`jsonrpc` must be "2.0".';
  if (id === undefined || params === undefined || isObject(params)) return undefined;
  return "`params` must be an object.";
}

/** Returns whether a value is a JSON object, and not an array or `null`. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Limits on the size of a message. */
export interface MessageBounds {
  /** Maximum nesting depth of objects and arrays. */
  maxDepth: number;
  /** Maximum total number of objects, arrays, and the values in them. */
  maxValues: number;
}

/** Returns the bound that a value exceeds, or `undefined`. */
export function findExceededBound(
  value: unknown,
  { maxDepth, maxValues }: MessageBounds,
): keyof MessageBounds | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const left = countRemainingValues(value, maxDepth, maxValues - 1);
    return left >= 0 ? undefined : left === TOO_DEEP ? "maxDepth" : "maxValues";
  } catch {
    // The nesting overflows the stack before it reaches the bound.
    return "maxDepth";
  }
}

const TOO_DEEP = -Infinity;

/**
 * Returns how many of `left` values remain after counting the contents of a container. The result is negative if the
 * container has more values, or nests deeper than `depth`. Stops at these bounds and copies nothing.
 */
export function countRemainingValues(container: object, depth: number, left: number): number {
  if (depth < 1) return TOO_DEEP;
  let rest = left;
  if (Array.isArray(container)) {
    rest -= container.length;
    for (let index = 0; index < container.length && rest >= 0; index++) {
      const item: unknown = container[index];
      if (typeof item === "object" && item !== null) rest = countRemainingValues(item, depth - 1, rest);
    }
    return rest;
  }
  for (const name in container) {
    const item = (container as Record<string, unknown>)[name];
    rest--;
    if (typeof item === "object" && item !== null && rest >= 0)
      rest = countRemainingValues(item, depth - 1, rest);
    if (rest < 0) break;
  }
  return rest;
}

/** Builds a successful response from a result that is already JSON text. */
export function toResultText(id: RequestId, result: string): string {
  const idText = typeof id === "number" ? id : JSON.stringify(id);
  return `{"jsonrpc":"2.0","id":${idText},"result":${toWellFormedJson(result)}}`;
}

/** Builds an error response. `id` is `null` or omitted if the ID of the request could not be read. */
export function toErrorText(
  id: RequestId | null | undefined,
  code: number,
  message: string,
  data?: unknown,
): string {
  return toWellFormedJson(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }));
}

/** Serializes a notification. */
export function toNotificationText(method: string, params?: object): string {
  return toWellFormedJson(JSON.stringify({ jsonrpc: "2.0", method, params }));
}

/** Serializes a request. */
export function toRequestText(id: RequestId, method: string, params: object): string {
  return toWellFormedJson(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
}

/**
 * JSON-RPC 2.0 as MCP uses it: what a message is, and the text of answers.
 *
 * @see https://www.jsonrpc.org/specification
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @module
 */

export type RequestId = string | number;
export type Params = Record<string, unknown>;

/** A message as it comes, when nothing is wrong with it. */
export interface Message {
  id?: RequestId;
  method?: string;
  /** Of a request, an object. */
  params?: Params;
  result?: unknown;
  error?: unknown;
}

/**
 * True for what a request may be told from others by. Whole numbers beyond 2^53 are not: several are written that come
 * to one and the same number, so an answer could go to another request.
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/**
 * What is wrong with one parsed JSON value (not a batch) as a message; `undefined` for a message. Whatever carries an
 * id and asks for something is to be answered, even when malformed. What expects no answer, such as a notification
 * without proper parameters, is none the less a message; unknown members are ignored.
 */
export function messageProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "A message must be a JSON object.";
  const { jsonrpc, id, method, params } = value;
  const isResponse = value.result !== undefined || value.error !== undefined;
  if (method === undefined) {
    return isResponse ? undefined : "A message needs a `method`, a `result` or an `error`.";
  }
  if (isResponse) return "A message with a `method` must have no `result` and no `error`.";
  if (typeof method !== "string") return "`method` must be a string.";
  if (id !== undefined && !isRequestId(id)) {
    return "`id` must be a string, or an integer that is not beyond ±(2^53 - 1).";
  }
  if (jsonrpc !== "2.0") return '`jsonrpc` must be "2.0".';
  if (id === undefined || params === undefined || isObject(params)) return undefined;
  return "`params` must be an object.";
}

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a message may hold at most. */
export interface MessageBounds {
  /** Containers inside one another. */
  depth: number;
  /** Objects, arrays and the values in them, all together. */
  values: number;
}

/** The bound that a value exceeds, or `undefined`. */
export function exceededBound(
  value: unknown,
  { depth, values }: MessageBounds,
): keyof MessageBounds | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const left = valuesLeft(value, depth, values - 1);
    return left >= 0 ? undefined : left === TOO_DEEP ? "depth" : "values";
  } catch {
    // Nested deeper than the stack reaches, where the bound would let it.
    return "depth";
  }
}

const TOO_DEEP = -Infinity;

/**
 * How many of `left` more values remain after those inside a container; negative when it holds more than that, or
 * nests deeper than `depth`. Stops at the bounds, however large the value is, and makes no copies.
 */
export function valuesLeft(container: object, depth: number, left: number): number {
  if (depth < 1) return TOO_DEEP;
  let rest = left;
  if (Array.isArray(container)) {
    rest -= container.length;
    for (let index = 0; index < container.length && rest >= 0; index++) {
      const item: unknown = container[index];
      if (typeof item === "object" && item !== null) rest = valuesLeft(item, depth - 1, rest);
    }
    return rest;
  }
  for (const name in container) {
    const item = (container as Record<string, unknown>)[name];
    rest--;
    if (typeof item === "object" && item !== null && rest >= 0) rest = valuesLeft(item, depth - 1, rest);
    if (rest < 0) break;
  }
  return rest;
}

/** A successful response, from a result that is JSON text already. */
export function resultText(id: RequestId, result: string): string {
  const idText = typeof id === "number" ? id : JSON.stringify(id);
  return `{"jsonrpc":"2.0","id":${idText},"result":${result}}`;
}

/** An error response. `id` is `null` or left out when the request's own could not be read. */
export function errorText(
  id: RequestId | null | undefined,
  code: number,
  message: string,
  data?: unknown,
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

export function notificationText(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

export function requestText(id: RequestId, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

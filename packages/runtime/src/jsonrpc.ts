/**
 * JSON-RPC 2.0 as MCP uses it: text in, classified message out; results and errors in, text out.
 *
 * @see https://www.jsonrpc.org/specification
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @module
 */

export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** Legacy revisions only. */
  ResourceNotFound: -32002,
  /** Modern: a header and the body disagree. */
  HeaderMismatch: -32020,
  /** Modern: the request needs a capability its client did not declare. */
  MissingRequiredClientCapability: -32021,
  /** Modern: the request's revision is not served. */
  UnsupportedProtocolVersion: -32022,
  /** 2025-11-25 only: the client must send its user to a URL first. */
  UrlElicitationRequired: -32042,
} as const;

export type RequestId = string | number;
export type Params = Record<string, unknown>;

/** A message by what is to be done with it. */
export type Message =
  | { kind: "request"; id: RequestId; method: string; params: Params }
  | { kind: "notification"; method: string; params: Params }
  | { kind: "response"; id: RequestId; result?: unknown; error?: unknown }
  /** Not a message; `id` is there when it could be read, so that the sender learns which request failed. */
  | { kind: "invalid"; id?: RequestId; code: number; problem: string }
  /** Nothing that expects an answer, such as a response without an id. */
  | { kind: "ignored" };

const NO_PARAMS: Params = Object.freeze({});

/**
 * Tells requests, notifications and responses apart. Whatever carries an id and asks for something is
 * answered, even when malformed; unknown members are ignored.
 *
 * @param value One parsed JSON value (not a batch).
 */
export function classify(value: unknown): Message {
  if (!isObject(value)) return invalid(undefined, "A message must be a JSON object.");
  const { id, method } = value;
  const hasId = typeof id === "string" || (typeof id === "number" && Number.isInteger(id));
  if (method === undefined) return classifyResponse(value, hasId ? id : undefined);
  if (typeof method !== "string") return invalid(hasId ? id : undefined, "`method` must be a string.");
  if (id !== undefined && !hasId) return invalid(undefined, "`id` must be a string or an integer.");
  if (value.jsonrpc !== "2.0") return invalid(hasId ? id : undefined, '`jsonrpc` must be "2.0".');
  const { params = NO_PARAMS } = value;
  if (!isObject(params)) return hasId ? invalid(id, "`params` must be an object.") : { kind: "ignored" };
  return hasId ? { kind: "request", id, method, params } : { kind: "notification", method, params };
}

function classifyResponse(value: Record<string, unknown>, id: RequestId | undefined): Message {
  const { result, error } = value;
  if (result === undefined && error === undefined) {
    return invalid(id, "A message needs a `method`, a `result` or an `error`.");
  }
  if (id === undefined) return { kind: "ignored" };
  return error === undefined ? { kind: "response", id, result } : { kind: "response", id, error };
}

function invalid(id: RequestId | undefined, problem: string): Message {
  const code = ErrorCode.InvalidRequest;
  return id === undefined ? { kind: "invalid", code, problem } : { kind: "invalid", id, code, problem };
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

/** Values nested no deeper than this can be looked at by recursion. */
const SHALLOW = 32;

/** The bound that a value exceeds, or `undefined`. */
export function exceededBound(value: unknown, bounds: MessageBounds): keyof MessageBounds | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (valuesLeft(value, Math.min(SHALLOW, bounds.depth), bounds.values - 1) >= 0) return undefined;
  return exceededByLayers(value, bounds);
}

/**
 * How many of `left` more values remain after those inside a container; negative when it holds more than that, or
 * is nested deeper than `depth`. Makes no copies: nearly all messages need no other look.
 */
function valuesLeft(container: object, depth: number, left: number): number {
  if (depth < 1) return -1;
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
    if (--rest < 0) return rest;
    const item = (container as Record<string, unknown>)[name];
    if (typeof item === "object" && item !== null) rest = valuesLeft(item, depth - 1, rest);
    if (rest < 0) return rest;
  }
  return rest;
}

/** Iterative, so that hostile depth cannot exhaust the stack. */
function exceededByLayers(value: object, bounds: MessageBounds): keyof MessageBounds | undefined {
  let layer = [value];
  let values = 1;
  for (let depth = 1; layer.length > 0; depth++) {
    if (depth > bounds.depth) return "depth";
    const below: object[] = [];
    for (const container of layer) {
      const items = Array.isArray(container) ? (container as unknown[]) : Object.values(container);
      values += items.length;
      if (values > bounds.values) return "values";
      for (const item of items as unknown[]) {
        if (typeof item === "object" && item !== null) below.push(item);
      }
    }
    layer = below;
  }
  return undefined;
}

/** Objects, arrays and the values in them, all together; 0 for anything else. Not for hostile depth. */
export function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + 1 + countValues(item), 0);
}

/** A successful response, from a result that is JSON text already. */
export function resultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${result}}`;
}

/** An error response. `id` is `null` or left out when the request's own could not be read. */
export function errorText(
  id: RequestId | null | undefined,
  code: number,
  message: string,
  data?: unknown,
): string {
  const error = JSON.stringify(data === undefined ? { code, message } : { code, message, data });
  return id === undefined
    ? `{"jsonrpc":"2.0","error":${error}}`
    : `{"jsonrpc":"2.0","id":${id === null ? "null" : idText(id)},"error":${error}}`;
}

export function notificationText(method: string, params?: object): string {
  return JSON.stringify(
    params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params },
  );
}

export function requestText(id: RequestId, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function idText(id: RequestId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}

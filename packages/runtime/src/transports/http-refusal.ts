import type { Answer } from "../connection.js";
import * as ErrorCode from "../error-codes.js";
import { errorText, isObject } from "../jsonrpc.js";
import type { Headers, HttpIncoming, HttpOutgoing } from "./http-exchange.js";

const PREFLIGHT_HEADERS: Headers = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-max-age": "86400",
};

/** The answer to a message that belongs to no conversation. */
export function failure(status: number, problem: string, code: number = ErrorCode.InvalidRequest): Answer {
  return { text: errorText(undefined, code, problem), status };
}

/** Answers a request without having read its message. */
export function refuse(
  outgoing: HttpOutgoing,
  status: number,
  problem: string,
  headers: Headers = {},
  code: number = ErrorCode.InvalidRequest,
): void {
  const { text } = failure(status, problem, code);
  outgoing.respond(status, { ...headers, "content-type": "application/json" }, text);
}

export function unsupportedVersion(version: string): string {
  return `MCP-Protocol-Version "${version.slice(0, 64)}" is not supported.`;
}

/** The answer to a message of no session and no modern revision; only malformed ones can be told apart. */
export function strangerAnswer(value: unknown): Answer {
  const isMessage = isObject(value) && (typeof value.method === "string" || "id" in value);
  if (!isMessage && !Array.isArray(value)) return failure(400, "The body is not a JSON-RPC message.");
  const id =
    isObject(value) && (typeof value.id === "string" || typeof value.id === "number") ? value.id : undefined;
  const problem = "The Mcp-Session-Id header is missing, and so is the _meta of a modern request.";
  return { text: errorText(id, ErrorCode.InvalidRequest, problem), status: 400 };
}

/** Lets a page of an accepted origin read the answer. */
export function corsHeaders(origin: string | undefined): Headers {
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "mcp-session-id, www-authenticate",
    vary: "origin",
  };
}

/** Lets a page of an accepted origin send the request that it asks about. */
export function preflight(incoming: HttpIncoming, outgoing: HttpOutgoing, headers: Headers): void {
  const wanted = incoming.header("access-control-request-headers");
  const allowed: Headers = wanted === undefined ? {} : { "access-control-allow-headers": wanted };
  outgoing.respond(204, { ...headers, ...PREFLIGHT_HEADERS, ...allowed });
}

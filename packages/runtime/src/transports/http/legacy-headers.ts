/**
 * The headers of requests in legacy sessions.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 * @module
 */
import { findRevision, listRevisionIds } from "../../protocol/revisions.js";
import type { HttpExchange } from "./exchange/exchange.js";
import { reject, rejectWithoutSession } from "./exchange/rejection.js";

/** The header with the ID of a legacy session, which the response to `initialize` assigns. */
export const SESSION_ID = "mcp-session-id";

/** The header with the revision of a request. */
export const VERSION = "mcp-protocol-version";

/** Returns the ID of the legacy session in a request. Without one, responds with an error and returns undefined. */
export function readSessionId(exchange: HttpExchange, message: unknown): string | undefined {
  const version = exchange.header(VERSION);
  if (version !== undefined && findRevision(version, "legacy") === undefined) {
    return void rejectVersion(exchange);
  }
  const id = exchange.header(SESSION_ID);
  if (id === undefined) rejectWithoutSession(exchange, message);
  return id;
}

/** Rejects a request whose revision this server, or a legacy session, does not have. */
export function rejectVersion(exchange: HttpExchange): void {
  const version = exchange.header(VERSION) ?? "";
  const problem = findRevision(version)
    ? `Batches are not part of ${version}; send one message at a time.`
    : `MCP-Protocol-Version "${version.slice(0, 64)}" is not supported. Supported: ${listRevisionIds().join(", ")}.`;
  reject(exchange, 400, problem);
}

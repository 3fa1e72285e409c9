/**
 * The rungs that every modern request climbs before a method sees it. Their order is part of the protocol:
 * it decides which error a client gets that makes several mistakes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */
import { type Caller, isImplementation } from "./call.js";
import { ProtocolError } from "./errors.js";
import { type HeaderReader, headerEquals } from "./headers.js";
import { ErrorCode, isObject, type Params } from "./jsonrpc.js";
import { LOGGING_LEVELS } from "./logging-levels.js";
import type { ClientCapabilities } from "./protocol.js";
import { findRevision, type Revision, revisionIds } from "./revisions.js";

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

/** The parameter that `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, "name" | "uri" | "taskId"> = new Map<string, "name" | "uri" | "taskId">([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** True when a request is to be judged by the rules of modern revisions. */
export function isModern(method: string, params: Params, header?: HeaderReader): boolean {
  if (method === "server/discover") return true;
  const meta = params._meta;
  if (isObject(meta) && (meta[PROTOCOL_VERSION] !== undefined || meta[CLIENT_CAPABILITIES] !== undefined))
    return true;
  const version = header?.("mcp-protocol-version");
  return version !== undefined && findRevision(version, "modern") !== undefined;
}

/**
 * Judges a modern request by its `_meta` and, where the transport has them, its headers.
 *
 * @returns The revision it is served under and what the client says of itself.
 * @throws ProtocolError of the first rung that it fails.
 */
export function admit(
  method: string,
  params: Params,
  header: HeaderReader | undefined,
): { revision: Revision; caller: Caller } {
  const meta = readMeta(params);
  const { version } = meta;
  if (header !== undefined && !headerEquals(header("mcp-protocol-version"), version)) {
    throw headerMismatch("MCP-Protocol-Version", `_meta["${PROTOCOL_VERSION}"]`);
  }
  const revision = findRevision(version, "modern");
  if (revision === undefined) {
    const supported = revisionIds("modern");
    throw new ProtocolError(
      ErrorCode.UnsupportedProtocolVersion,
      `The protocol version "${version.slice(0, 64)}" is not served here.`,
      { supported, requested: version },
      400,
    );
  }
  if (header !== undefined) checkHeaders(method, params, header);
  if (!revision.methods.has(method)) throw methodNotFound(method, 404);
  return { revision, caller: meta.caller };
}

/** The error for a method that the revision does not have. */
export function methodNotFound(method: string, status: number): ProtocolError {
  const versions =
    method === "initialize" ? ` Versions served without it: ${revisionIds("modern").join(", ")}.` : "";
  return new ProtocolError(
    ErrorCode.MethodNotFound,
    `There is no method "${method.slice(0, 128)}" in this protocol version.${versions}`,
    undefined,
    status,
  );
}

/** The error for a header that is absent, malformed, or disagrees with the body. */
export function headerMismatch(header: string, source: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.HeaderMismatch,
    `The header ${header} must be present and equal to ${source}.`,
    undefined,
    400,
  );
}

function readMeta(params: Params): { version: string; caller: Caller } {
  const meta = params._meta;
  if (!isObject(meta)) throw badMeta("`_meta` must be an object.");
  const version = meta[PROTOCOL_VERSION];
  const capabilities = meta[CLIENT_CAPABILITIES];
  const info = meta[CLIENT_INFO];
  const logLevel = LOGGING_LEVELS.find((level) => level === meta[LOG_LEVEL]);
  if (typeof version !== "string") throw badMeta(`\`_meta["${PROTOCOL_VERSION}"]\` must be a string.`);
  if (!isObject(capabilities)) throw badMeta(`\`_meta["${CLIENT_CAPABILITIES}"]\` must be an object.`);
  const caller: Caller = {
    capabilities: capabilities as ClientCapabilities,
    ...(isImplementation(info) ? { info } : {}),
    ...(logLevel === undefined ? {} : { logLevel }),
  };
  return { version, caller };
}

function badMeta(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, undefined, 400);
}

function checkHeaders(method: string, params: Params, header: HeaderReader): void {
  if (!headerEquals(header("mcp-method"), method)) throw headerMismatch("Mcp-Method", "`method`");
  const member = NAMED_BY.get(method);
  if (member === undefined) return;
  const name = params[member];
  if (typeof name === "string" && !headerEquals(header("mcp-name"), name)) {
    throw headerMismatch("Mcp-Name", `\`params.${member}\``);
  }
}

/**
 * The validation of every modern request, before it reaches a method. The order of the steps is part of the protocol: it
 * decides which error a client receives for a request with several mistakes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */
import { Call } from "./call.js";
import type { CallServer } from "./call-server.js";
import type { Session } from "./session.js";
import { type ClientDescription, isImplementation } from "../../protocol/client-description.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { ProtocolError, createBadRequestError } from "../../api/errors.js";
import { type HeaderReader, headerEquals } from "../../protocol/headers.js";
import { isObject, type Params, type RequestId } from "../../protocol/jsonrpc.js";
import { CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION } from "../../protocol/meta-keys.js";
import { EXPECTED_LEVEL, isLoggingLevel } from "../../protocol/logging-levels.js";
import type { ClientCapabilities } from "../../protocol/specification.js";
import type { Peer } from "../../transports/transport.js";
import { findRevision, type Revision, listRevisionIds } from "../../protocol/revisions.js";

/** The parameter that `Mcp-Name` repeats, by method. */
const NAME_PARAMETERS: ReadonlyMap<string, "name" | "uri" | "taskId"> = new Map<
  string,
  "name" | "uri" | "taskId"
>([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/**
 * Creates the call of a modern request.
 *
 * @throws ProtocolError of the first step of validation that fails
 */
export function readModernCall(
  server: CallServer,
  session: Session | undefined,
  id: RequestId,
  method: string,
  params: Params,
  peer: Peer,
): Call {
  const revision = validateModernRequest(method, params, getRepeatingHeaders(peer));
  return new Call(server, session, id, method, params, revision, readClient(params), peer);
}

/**
 * Validates the `_meta` of a modern request, and, if the transport has headers, that they agree with the body.
 *
 * @returns the revision of the request
 * @throws ProtocolError of the first step that fails
 */
function validateModernRequest(method: string, params: Params, header: HeaderReader | undefined): Revision {
  const { _meta: meta } = params;
  if (!isObject(meta)) throw createBadMetaError("_meta", "an object");
  const version = meta[PROTOCOL_VERSION];
  if (typeof version !== "string") throw createBadMetaError(`_meta["${PROTOCOL_VERSION}"]`, "a string");
  if (!isObject(meta[CLIENT_CAPABILITIES]))
    throw createBadMetaError(`_meta["${CLIENT_CAPABILITIES}"]`, "an object");
  if (!repeats(header, "mcp-protocol-version", version)) {
    throw createHeaderMismatchError("MCP-Protocol-Version", `_meta["${PROTOCOL_VERSION}"]`);
  }
  const revision = findRevision(version, "modern");
  if (revision === undefined) {
    const message = `The protocol version "${version.slice(0, 64)}" is not supported.`;
    const data = { supported: listRevisionIds("modern"), requested: version };
    throw createBadRequestError(message, ErrorCode.UnsupportedProtocolVersion, data);
  }
  if (!repeats(header, "mcp-method", method)) throw createHeaderMismatchError("Mcp-Method", "`method`");
  const member = NAME_PARAMETERS.get(method);
  const name = member && params[member];
  if (typeof name === "string" && !repeats(header, "mcp-name", name)) {
    throw createHeaderMismatchError("Mcp-Name", `\`params.${member}\``);
  }
  const level = meta[LOG_LEVEL];
  if (level !== undefined && !isLoggingLevel(level))
    throw createBadMetaError(`_meta["${LOG_LEVEL}"]`, EXPECTED_LEVEL);
  return revision;
}

/** Returns the headers of a peer that repeat parts of its modern messages, if the transport has such headers. */
export function getRepeatingHeaders({ header, repeatsInHeaders }: Peer): HeaderReader | undefined {
  return repeatsInHeaders === true ? header : undefined;
}

/** Returns the client's description of itself in a validated modern request. */
function readClient({ _meta }: Params): ClientDescription {
  const meta = _meta as Record<string, unknown>;
  const capabilities = meta[CLIENT_CAPABILITIES] as ClientCapabilities;
  const info = meta[CLIENT_INFO];
  return isImplementation(info) ? { info, capabilities } : { capabilities };
}

/** Returns the error for a method that the call's revision, or the server, does not have. */
export function createMethodNotFoundError({ method, revision }: Call): ProtocolError {
  const versions =
    method === "initialize" ? ` Versions without it: ${listRevisionIds("modern").join(", ")}.` : "";
  return new ProtocolError(
    ErrorCode.MethodNotFound,
    `The server offers no method "${method.slice(0, 128)}" in this protocol version.${versions}`,
    undefined,
    revision.methodNotFoundStatus,
  );
}

function createBadMetaError(name: string, expected: string): ProtocolError {
  return createBadRequestError(`\`${name}\` must be ${expected}.`, ErrorCode.InvalidParams);
}

/** Returns whether a header repeats a part of the body, or the transport has no headers. */
function repeats(header: HeaderReader | undefined, name: string, part: string): boolean {
  return header === undefined || headerEquals(header(name), part);
}

/** Returns the error for a header that is absent, malformed, or disagrees with the body. */
function createHeaderMismatchError(header: string, source: string): ProtocolError {
  return createBadRequestError(
    `The header ${header} must be present and equal to ${source}.`,
    ErrorCode.HeaderMismatch,
  );
}

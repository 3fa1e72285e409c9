/**
 * The validation steps that every modern request passes before a method sees it. Their order is part of the protocol:
 * it decides which error a client gets that makes several mistakes.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 * @module
 */
import type { Call } from "./call.js";
import { type ClientDescription, isImplementation } from "../protocol/client-description.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { ProtocolError, refusal } from "../api/errors.js";
import { type HeaderReader, headerEquals } from "../protocol/headers.js";
import { isObject, type Params } from "../protocol/jsonrpc.js";
import { CLIENT_CAPABILITIES, CLIENT_INFO, PROTOCOL_VERSION } from "../protocol/meta-keys.js";
import type { ClientCapabilities } from "../protocol/specification.js";
import { findRevision, type Revision, revisionIds } from "../protocol/revisions.js";

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
 * Validates a modern request by its `_meta` and, where the transport has them, its headers.
 *
 * @returns The revision it is served under.
 * @throws ProtocolError of the first step that it fails.
 */
export function validateModernRequest(
  method: string,
  params: Params,
  header: HeaderReader | undefined,
): Revision {
  const { _meta: meta } = params;
  if (!isObject(meta)) throw badMeta("`_meta` must be an object.");
  const version = meta[PROTOCOL_VERSION];
  if (typeof version !== "string") throw badMeta(`\`_meta["${PROTOCOL_VERSION}"]\` must be a string.`);
  if (!isObject(meta[CLIENT_CAPABILITIES])) {
    throw badMeta(`\`_meta["${CLIENT_CAPABILITIES}"]\` must be an object.`);
  }
  if (!repeats(header, "mcp-protocol-version", version)) {
    throw headerMismatch("MCP-Protocol-Version", `_meta["${PROTOCOL_VERSION}"]`);
  }
  const revision = findRevision(version, "modern");
  if (revision === undefined) {
    const message = `The protocol version "${version.slice(0, 64)}" is not served here.`;
    const data = { supported: revisionIds("modern"), requested: version };
    throw refusal(message, ErrorCode.UnsupportedProtocolVersion, data);
  }
  if (!repeats(header, "mcp-method", method)) throw headerMismatch("Mcp-Method", "`method`");
  const member = NAMED_BY.get(method);
  const name = member && params[member];
  if (typeof name === "string" && !repeats(header, "mcp-name", name)) {
    throw headerMismatch("Mcp-Name", `\`params.${member}\``);
  }
  return revision;
}

/** What the client of a modern request, once validated, says of itself. */
export function readClient({ _meta }: Params): ClientDescription {
  const meta = _meta as Record<string, unknown>;
  const capabilities = meta[CLIENT_CAPABILITIES] as ClientCapabilities;
  const info = meta[CLIENT_INFO];
  return isImplementation(info) ? { info, capabilities } : { capabilities };
}

/** The error for a method that the call's revision, or the server, does not have. */
export function methodNotFound({ method, revision }: Call): ProtocolError {
  const versions =
    method === "initialize" ? ` Versions served without it: ${revisionIds("modern").join(", ")}.` : "";
  return new ProtocolError(
    ErrorCode.MethodNotFound,
    `There is no method "${method.slice(0, 128)}" in this protocol version.${versions}`,
    undefined,
    revision.methodNotFoundStatus,
  );
}

function badMeta(message: string): ProtocolError {
  return refusal(message, ErrorCode.InvalidParams);
}

/** True when a header repeats a part of the body, or the transport has no headers. */
function repeats(header: HeaderReader | undefined, name: string, part: string): boolean {
  return header === undefined || headerEquals(header(name), part);
}

/** The error for a header that is absent, malformed, or disagrees with the body. */
function headerMismatch(header: string, source: string): ProtocolError {
  return refusal(`The header ${header} must be present and equal to ${source}.`, ErrorCode.HeaderMismatch);
}

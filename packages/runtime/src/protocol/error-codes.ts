/**
 * Codes of JSON-RPC errors. Import the module as a whole (`import * as ErrorCode`), so that a bundle contains only
 * the codes in use.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @module
 */

export const ParseError = -32700;
export const InvalidRequest = -32600;
export const MethodNotFound = -32601;
export const InvalidParams = -32602;
export const InternalError = -32603;
/** Legacy: the resource does not exist. */
export const ResourceNotFound = -32002;
/** Modern: a header and the body disagree. */
export const HeaderMismatch = -32020;
/** Modern: the request needs a capability its client did not declare. */
export const MissingRequiredClientCapability = -32021;
/** Modern: the revision of the request is not supported. */
export const UnsupportedProtocolVersion = -32022;
/** Tenon's own: the HTTP status of the same number. Only codes outside -32768 to -32000 are free. */
export const TooManyRequests = 429;
/** 2025-11-25 only: the client must send its user to a URL first. */
export const UrlElicitationRequired = -32042;

/**
 * The two ways a call fails: a `ProtocolError` becomes a JSON-RPC error, a `ToolError` a result the model reads.
 * @module
 */
import * as ErrorCode from "../protocol/error-codes.js";

/** Global symbols, so that errors of another copy of this package are recognised too. */
const TOOL_ERROR = Symbol.for("tenon.tool-error");
const PROTOCOL_ERROR = Symbol.for("tenon.protocol-error");

/**
 * Thrown by a handler to tell the caller what went wrong, in exactly these words. Any other error a handler
 * throws is hidden behind a public message, since its text may hold paths, queries or secrets.
 *
 * From a tool it becomes a result with `isError: true`; from a prompt or a resource, a JSON-RPC error.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
 * @example
 * throw new ToolError(`No city named "${city}". Try a larger place nearby.`);
 */
export class ToolError extends Error {
  override name = "ToolError";
  get [TOOL_ERROR](): true {
    return true;
  }
}

/** True for a `ToolError` of this or any other copy of the package. */
export function isToolError(error: unknown): error is ToolError {
  return isBranded(error, TOOL_ERROR);
}

/**
 * A request that cannot be served as it stands. Its message goes to the client as written.
 *
 * @see https://www.jsonrpc.org/specification#error_object
 */
export class ProtocolError extends Error {
  override name = "ProtocolError";

  /** `status` is the status code with which Streamable HTTP carries this error. */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    readonly status: number = 200,
  ) {
    super(message);
  }

  get [PROTOCOL_ERROR](): true {
    return true;
  }
}

/** True for a `ProtocolError` of this or any other copy of the package. */
export function isProtocolError(error: unknown): error is ProtocolError {
  return isBranded(error, PROTOCOL_ERROR);
}

/** The request cannot be taken as it is; over HTTP, a bad request. */
export function refusal(
  message: string,
  code: number = ErrorCode.InvalidRequest,
  data?: unknown,
): ProtocolError {
  return new ProtocolError(code, message, data, 400);
}

/** The request is well formed, but its parameters are not. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, data);
}

function isBranded(error: unknown, brand: symbol): boolean {
  return typeof error === "object" && error !== null && (error as Record<symbol, unknown>)[brand] === true;
}

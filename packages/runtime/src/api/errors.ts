/**
 * The two ways a call fails: a `ProtocolError` becomes a JSON-RPC error, a `ToolError` a result the model reads.
 * A `NotFoundError` is either, by what was asked for.
 * @module
 */
import * as ErrorCode from "../protocol/error-codes.js";

/** Global symbols, so that errors of another copy of this package are recognised too. */
const TOOL_ERROR = Symbol.for("tenon.tool-error");
const NOT_FOUND_ERROR = Symbol.for("tenon.not-found-error");
const PROTOCOL_ERROR = Symbol.for("tenon.protocol-error");

/**
 * Thrown by a handler to tell the caller what went wrong, in exactly these words. Any other error a handler
 * throws is hidden behind a public message, since its text may hold paths, queries or secrets.
 *
 * From a tool it becomes a result with `isError: true`; from a prompt or a resource, a JSON-RPC error. For what does
 * not exist there is a `NotFoundError`.
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
 * Thrown by a handler when there is nothing of the name that it was given. Its message reaches the caller as written.
 *
 * From a resource it is the same as returning `undefined`: the error that the client's revision has for a resource that
 * does not exist, with the URI in its `data`. From a tool it is a result with `isError: true`, as any `ToolError`; from
 * a prompt, an error that says the arguments are not valid.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
 * @example
 * \@Resource("tasks://{id}")
 * task(id: number): Task {
 *   const task = this.store.find(id);
 *   if (!task) throw new NotFoundError(`There is no task ${id}.`);
 *   return task;
 * }
 */
export class NotFoundError extends ToolError {
  override name = "NotFoundError";

  constructor(message = "There is nothing of this name.", options?: ErrorOptions) {
    super(message, options);
  }

  get [NOT_FOUND_ERROR](): true {
    return true;
  }
}

/** True for a `NotFoundError` of this or any other copy of the package. */
export function isNotFoundError(error: unknown): error is NotFoundError {
  return isBranded(error, NOT_FOUND_ERROR);
}

/**
 * A request that cannot be served as it stands. Its message goes to the client as written.
 *
 * @see https://www.jsonrpc.org/specification#error_object
 */
export class ProtocolError extends Error {
  override name = "ProtocolError";

  /** `status` and `headers` are those with which Streamable HTTP carries this error. */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    readonly status: number = 200,
    readonly headers?: Readonly<Record<string, string>>,
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
  try {
    return (Object(error) as Record<symbol, unknown>)[brand] === true;
  } catch {
    // A proxy that was revoked can be thrown, too.
    return false;
  }
}

/**
 * The two ways in which a call fails: a `ProtocolError` becomes a JSON-RPC error, and a `ToolError` becomes a result
 * that the model reads. A `NotFoundError` becomes either, depending on the method.
 * @module
 */
import * as ErrorCode from "../protocol/error-codes.js";

/** Global symbols, so that errors of another copy of this package are recognized too. */
const TOOL_ERROR = Symbol.for("tenon.tool-error");
const NOT_FOUND_ERROR = Symbol.for("tenon.not-found-error");
const PROTOCOL_ERROR = Symbol.for("tenon.protocol-error");

/**
 * An error whose message the client receives as written. The message of any other error is replaced with a neutral
 * message and a reference, because it may contain paths, queries, or secrets.
 *
 * From a tool it becomes a result with `isError: true`; from a prompt or a resource, a JSON-RPC error. For something
 * that does not exist, use `NotFoundError`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
 * @example
 * throw new ToolError(`No city named "${city}". Try a larger city nearby.`);
 */
export class ToolError extends Error {
  override name = "ToolError";
  get [TOOL_ERROR](): true {
    return true;
  }
}

/** Returns whether an error is a `ToolError` of this or any other copy of the package. */
export function isToolError(error: unknown): error is ToolError {
  return isBranded(error, TOOL_ERROR);
}

/**
 * An error for something that does not exist. The client receives its message as written.
 *
 * From a resource, it has the same effect as returning `undefined`: the error code of the client's revision, with the
 * URI in `data`. From a tool, it becomes a result with `isError: true`, like every `ToolError`; from a prompt, an
 * error about invalid arguments.
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

  constructor(message = "There is nothing with this name.", options?: ErrorOptions) {
    super(message, options);
  }

  get [NOT_FOUND_ERROR](): true {
    return true;
  }
}

/** An error for a caller who must log in again, with a challenge for its client. */
export class SignInError extends ToolError {
  override name = "SignInError";

  /** @param challenge the value of `WWW-Authenticate`, for a response whose headers have already been sent */
  constructor(
    message: string,
    readonly challenge: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Returns the challenge of a `SignInError` of this or any other copy of the package. */
export function findChallenge(error: unknown): string | undefined {
  return isToolError(error) && error.name === "SignInError" ? (error as SignInError).challenge : undefined;
}

/** Returns whether an error is a `NotFoundError` of this or any other copy of the package. */
export function isNotFoundError(error: unknown): error is NotFoundError {
  return isBranded(error, NOT_FOUND_ERROR);
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns why an error cannot be sent. It would leave the client without a response. */
function findSendingProblem(data: unknown, status: number, headers: object = {}): string | undefined {
  try {
    if (data !== undefined) JSON.stringify(data);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (!(Number.isInteger(status) && status >= 200 && status < 600)) return `the status ${status} is invalid`;
  const invalid = Object.entries(headers).find(
    ([name, value]) => !HEADER_NAME.test(name) || !HEADER_VALUE.test(value),
  );
  return invalid && `the header ${JSON.stringify(invalid[0])} is invalid`;
}

/**
 * An error that becomes a JSON-RPC error. The client receives its code and message as written.
 *
 * @see https://www.jsonrpc.org/specification#error_object
 */
export class ProtocolError extends Error {
  override name = "ProtocolError";

  /**
   * @param code an integer, as JSON-RPC requires
   * @param data anything that JSON can express
   * @param status the HTTP status with which Streamable HTTP sends this error, from 200 to 599
   * @param headers additional response headers of Streamable HTTP
   * @throws TypeError if the code is not an integer, or if `data`, `status`, or `headers` cannot be sent
   */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    readonly status: number = 200,
    readonly headers?: Readonly<Record<string, string>>,
  ) {
    super(message);
    if (!Number.isInteger(code))
      throw new TypeError(
        `The code of a ProtocolError must be an integer such as -32602 (got ${String(code)}).`,
      );
    const problem = findSendingProblem(data, status, headers);
    if (problem !== undefined) throw new TypeError(`This ProtocolError cannot be sent: ${problem}`);
  }

  get [PROTOCOL_ERROR](): true {
    return true;
  }
}

/** Returns whether an error is a `ProtocolError` of this or any other copy of the package. */
export function isProtocolError(error: unknown): error is ProtocolError {
  return isBranded(error, PROTOCOL_ERROR);
}

/** Creates an error for a malformed request. Over HTTP, its status is 400. */
export function createBadRequestError(
  message: string,
  code: number = ErrorCode.InvalidRequest,
  data?: unknown,
): ProtocolError {
  return new ProtocolError(code, message, data, 400);
}

/** Creates an error for a valid request with invalid parameters. */
export function createInvalidParamsError(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, data);
}

function isBranded(error: unknown, brand: symbol): boolean {
  try {
    return (Object(error) as Record<symbol, unknown>)[brand] === true;
  } catch {
    // The thrown value may be a revoked proxy.
    return false;
  }
}

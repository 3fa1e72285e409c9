import { isProtocolError, ProtocolError } from "../../../api/errors.js";
import { createReport, formatPublicMessage } from "../../../data/results/internal-error.js";
import * as ErrorCode from "../../../protocol/error-codes.js";
import { toErrorText, isRequestId, findMessageProblem, type RequestId } from "../../../protocol/jsonrpc.js";
import type { HttpExchange } from "./exchange.js";

/** Responds with an error that belongs to no session. */
export function reject(
  exchange: HttpExchange,
  status: number,
  problem: string,
  code: number = ErrorCode.InvalidRequest,
  id?: RequestId,
): void {
  exchange.respond(status, toErrorText(id, code, problem));
}

/** Responds with an error to a request whose body was read elsewhere. */
export function rejectConsumedBody(exchange: HttpExchange): void {
  const problem = "The request body was already read. Mount the server before middleware that reads bodies.";
  reject(exchange, 500, problem, ErrorCode.InternalError);
}

/** Responds with an error, and reports it to the server's operator. */
export function rejectAndReport(
  exchange: HttpExchange,
  status: number,
  problem: string,
  code?: number,
): void {
  const { address, principal } = exchange;
  exchange.rejections?.requestRejected({ status, reason: problem, address, principal });
  reject(exchange, status, problem, code);
}

/** The error for a session that would exceed the maximum. */
export class TooManySessionsError extends ProtocolError {
  constructor() {
    const headers = { "retry-after": "60" };
    super(
      ErrorCode.InvalidRequest,
      "Too many sessions are open. Close unused sessions, or retry in 60 seconds.",
      undefined,
      503,
      headers,
    );
  }
}

/**
 * Responds to a request that cannot be served. An error that is not meant for the client is reported, and the client receives
 * its reference. A stream that has begun only ends.
 */
export function rejectFor(exchange: HttpExchange, error: unknown): void {
  if (!isProtocolError(error)) {
    const report = createReport("request", error);
    exchange.onInternalError?.(report);
    if (!exchange.canRespondWithStatus) return void exchange.finish(undefined);
    return reject(exchange, 500, formatPublicMessage(report), ErrorCode.InternalError);
  }
  Object.assign(exchange.headers, error.headers);
  const respond = error instanceof TooManySessionsError ? rejectAndReport : reject;
  respond(exchange, error.status, error.message, error.code);
}

/** Responds with an error to a legacy request without a session. */
export function rejectWithoutSession(exchange: HttpExchange, message: unknown): void {
  const missing =
    "The Mcp-Session-Id header is missing, and so is the _meta of a modern request. Send `initialize` first, and then the session ID from its response.";
  const { id, method } = Object(message) as { id?: unknown; method?: unknown };
  const isBodiless = message === undefined;
  const problem = isBodiless || Array.isArray(message) ? undefined : findMessageProblem(message);
  // The server assigned the ID of a response. The client may have its own request with the same ID.
  const isResponse = problem === undefined && method === undefined;
  const isAnswerable = !isResponse && isRequestId(id);
  reject(exchange, 400, problem ?? missing, ErrorCode.InvalidRequest, isAnswerable ? id : undefined);
}

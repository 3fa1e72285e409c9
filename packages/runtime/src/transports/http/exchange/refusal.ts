import { isProtocolError, ProtocolError } from "../../../api/errors.js";
import * as ErrorCode from "../../../protocol/error-codes.js";
import { errorText, isRequestId, messageProblem, type RequestId } from "../../../protocol/jsonrpc.js";
import type { HttpExchange } from "./exchange.js";

/** Answers a request with an error that belongs to no conversation. */
export function refuse(
  exchange: HttpExchange,
  status: number,
  problem: string,
  code: number = ErrorCode.InvalidRequest,
  id?: RequestId,
): void {
  exchange.respond(status, errorText(id, code, problem));
}

/** The same for what whoever runs the server may want to know. */
export function refuseAndReport(
  exchange: HttpExchange,
  status: number,
  problem: string,
  code?: number,
): void {
  const { address, principal } = exchange;
  exchange.refusals?.ofRequest({ status, reason: problem, address, principal });
  refuse(exchange, status, problem, code);
}

/** There are so many sessions that no other can be opened. */
export class TooManySessions extends ProtocolError {
  constructor() {
    const headers = { "retry-after": "60" };
    super(ErrorCode.InvalidRequest, "Too many sessions are open.", undefined, 503, headers);
  }
}

/**
 * Answers a request with an error that is meant for its client.
 *
 * @throws any other error
 */
export function refuseFor(exchange: HttpExchange, error: unknown): void {
  if (!isProtocolError(error)) throw error;
  Object.assign(exchange.headers, error.headers);
  const answer = error instanceof TooManySessions ? refuseAndReport : refuse;
  answer(exchange, error.status, error.message, error.code);
}

/** Answers a request of no session and no modern revision, by its message if it has one. */
export function refuseWithoutSession(exchange: HttpExchange, message: unknown): void {
  const missing = "The Mcp-Session-Id header is missing, and so is the _meta of a modern request.";
  const { id, method } = Object(message) as { id?: unknown; method?: unknown };
  const isBodiless = message === undefined;
  const problem = isBodiless || Array.isArray(message) ? undefined : messageProblem(message);
  // The id of a response is one of the server's, and the client may have a request of that id of its own.
  const isResponse = problem === undefined && method === undefined;
  const isAnswerable = !isResponse && isRequestId(id);
  refuse(exchange, 400, problem ?? missing, ErrorCode.InvalidRequest, isAnswerable ? id : undefined);
}

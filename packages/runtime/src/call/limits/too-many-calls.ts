import { ProtocolError, ToolError } from "../../api/errors.js";
import type { Call } from "../connection/call.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { formatDuration } from "../../data/explanations/format-duration.js";

/**
 * Returns the error for a call that exceeds a limit: for a tool, a message that the model reads; for other methods, and
 * if the call has its own HTTP exchange, a JSON-RPC error with status 429.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6585#section-4
 */
export function createTooManyCallsError(
  { peer, method }: Call,
  problem: string,
  retryAfterMs: number,
): Error {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const message = `${problem} Try again in ${seconds === 1 ? "1 second" : formatDuration(roundUp(seconds) * 1000)}.`;
  if (peer.endsWithResponse !== true && method === "tools/call") return new ToolError(message);
  const headers = { "retry-after": String(seconds) };
  const data = { retryAfterMs: Math.ceil(retryAfterMs) };
  return new ProtocolError(ErrorCode.TooManyRequests, message, data, 429, headers);
}

/** Rounds up to whole seconds if the result is at most two minutes, to minutes if at most two hours, otherwise to hours. */
function roundUp(seconds: number): number {
  const unit = seconds <= 120 ? 1 : seconds <= 7200 ? 60 : 3600;
  return Math.ceil(seconds / unit) * unit;
}

import { ProtocolError, ToolError } from "../api/errors.js";
import type { Call } from "../connection/call.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { durationText } from "../explain/duration-text.js";

/**
 * The answer to a call too many: an error with a status where the call has an exchange of its own, else words that the
 * model reads, or an error where no model does.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6585#section-4
 */
export function tooManyCalls({ peer, method }: Call, problem: string, retryAfterMs: number): Error {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const message = `${problem} Try again in ${seconds === 1 ? "1 second" : durationText(readable(seconds) * 1000)}.`;
  if (peer.endsWithAnswer !== true && method === "tools/call") return new ToolError(message);
  const headers = { "retry-after": String(seconds) };
  const data = { retryAfterMs: Math.ceil(retryAfterMs) };
  return new ProtocolError(ErrorCode.TooManyRequests, message, data, 429, headers);
}

/** Seconds up to two minutes, then whole minutes, then whole hours. */
function readable(seconds: number): number {
  const unit = seconds <= 120 ? 1 : seconds <= 7200 ? 60 : 3600;
  return Math.ceil(seconds / unit) * unit;
}

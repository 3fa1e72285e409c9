import { ProtocolError, SignInError, ToolError } from "../../../api/errors.js";
import type { ExchangingCall } from "../../../api/exchange.js";
import * as ErrorCode from "../../../protocol/error-codes.js";
import type { ExchangeFailure } from "./exchange-failure.js";

/** The time after which to try again, if an authorization server does not specify one. */
const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** The longest time that clients are asked to wait. */
const MAX_RETRY_AFTER_SECONDS = 3600;

/** Returns the challenge to a caller who must log in again: the value of `WWW-Authenticate`. */
export type CreateChallenge = (reason: string, header: ExchangingCall["header"]) => string;

/**
 * Returns the error for a caller who must log in again. Over HTTP, it becomes the response to an invalid token, so
 * that clients get another token and repeat the call. After the response has begun, it is a result with the same
 * challenge.
 *
 * @param problem the problem with the token, as a part of a sentence
 */
export function createSignInError(
  call: ExchangingCall,
  problem: string,
  createChallenge: CreateChallenge,
  cause?: ExchangeFailure,
): ToolError | ProtocolError {
  const reason = `The server cannot act for the caller: ${problem}. Log in again, and then repeat the call.`;
  const challenge = createChallenge(reason, call.header);
  if (!call.mayChallenge) return new SignInError(reason, challenge, { cause });
  // The authorization server may reject the request for a reason other than the token.
  if (cause?.code !== undefined) call.warn(`A caller must log in again: ${cause.message}`);
  const headers = { "www-authenticate": challenge };
  return new ProtocolError(ErrorCode.InvalidRequest, reason, undefined, 401, headers);
}

/** Returns the error for a failure that the caller cannot remedy. The log contains its cause. */
export function createFailureError(failure: ExchangeFailure): ToolError {
  const { kind, code, retryAfter = DEFAULT_RETRY_AFTER_SECONDS } = failure;
  const message =
    kind === "unavailable"
      ? `The authorization server is unavailable, so the server cannot act for the caller. Try again in ${Math.min(retryAfter, MAX_RETRY_AFTER_SECONDS)} seconds.`
      : `The server may not act for the caller${code === undefined ? "" : ` (${code})`}: its operator must change the configuration. Trying again does not help.`;
  return new ToolError(message, { cause: failure });
}

/**
 * The kind of a failed exchange, which determines its remedy:
 *
 * - `login`: the caller must log in again
 * - `configuration`: the operator must change the configuration
 * - `unavailable`: a later attempt may succeed
 */
export type FailureKind = "login" | "configuration" | "unavailable";

/** A token request without a token in response. Its message is for the log, not for clients. */
export class ExchangeFailure extends Error {
  override name = "ExchangeFailure";

  /**
   * @param code the error code of the authorization server, such as `invalid_target`
   * @param retryAfter the time after which to try again, in seconds
   */
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly code?: string,
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Errors for a token that is not accepted. RFC 8693 requires `invalid_request` for it, and most servers send
 * `invalid_grant`. Entra sends the others if the user must do something.
 */
const LOGIN_ERRORS: ReadonlySet<string> = new Set([
  "invalid_request",
  "invalid_grant",
  "invalid_token",
  "interaction_required",
  "login_required",
  "consent_required",
]);

/**
 * Returns the kind of failure that an error of a token endpoint represents.
 *
 * @param code the member `error` of the response; undefined if it has none
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-5.2
 * @see https://www.rfc-editor.org/rfc/rfc8693#section-2.2.2
 * @example
 * classifyError(400, "invalid_target") // "configuration"
 */
export function classifyError(status: number, code: string | undefined): FailureKind {
  if (status === 429 || status >= 500) return "unavailable";
  if (code === "temporarily_unavailable" || code === "slow_down") return "unavailable";
  return code !== undefined && LOGIN_ERRORS.has(code) ? "login" : "configuration";
}

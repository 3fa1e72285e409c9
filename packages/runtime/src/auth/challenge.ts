/** What a challenge says besides its scheme, in the order in which it is written. */
export interface ChallengeParameters {
  readonly error?:
    "invalid_request" | "invalid_token" | "insufficient_scope" | "invalid_dpop_proof" | "use_dpop_nonce";
  readonly error_description?: string;
  /** The scopes that are needed, separated by spaces. */
  readonly scope?: string | undefined;
  /** Where a client reads who gives out tokens. */
  readonly resource_metadata?: string | undefined;
  /** The algorithms that proofs may be signed by, separated by spaces. */
  readonly algs?: string;
}

/**
 * The value of a `WWW-Authenticate` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 * @example
 * challengeText("Bearer", { error: "invalid_token", error_description: "The token has expired." })
 * // 'Bearer error="invalid_token", error_description="The token has expired."'
 */
export function challengeText(scheme: string, parameters: ChallengeParameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]: [string, string | undefined]) =>
    value === undefined ? [] : [`${name}="${quotable(value)}"`],
  );
  return [scheme, pairs.join(", ")].filter(Boolean).join(" ");
}

/** RFC 6750 allows printable ASCII without quotes and backslashes. */
function quotable(text: string): string {
  return text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, "?");
}

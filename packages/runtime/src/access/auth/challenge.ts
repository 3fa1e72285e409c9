/** The parameters of a challenge, in the order in which they are written. */
export interface ChallengeParameters {
  readonly error?:
    "invalid_request" | "invalid_token" | "insufficient_scope" | "invalid_dpop_proof" | "use_dpop_nonce";
  readonly error_description?: string;
  /** The scopes that are needed, separated by spaces. */
  readonly scope?: string | undefined;
  /** The URL at which a client finds the issuers of tokens. */
  readonly resource_metadata?: string | undefined;
  /** The algorithms with which proofs may be signed, separated by spaces. */
  readonly algs?: string;
}

/**
 * Returns the value of a `WWW-Authenticate` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 * @example
 * formatChallenge("Bearer", { error: "invalid_token", error_description: "The token has expired." })
 * // 'Bearer error="invalid_token", error_description="The token has expired."'
 */
export function formatChallenge(scheme: string, parameters: ChallengeParameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]: [string, string | undefined]) =>
    value === undefined ? [] : [`${name}="${toQuotable(value)}"`],
  );
  return [scheme, pairs.join(", ")].filter(Boolean).join(" ");
}

/** Replaces characters that RFC 6750 does not allow: quotes, backslashes, and all but printable ASCII. */
function toQuotable(text: string): string {
  return text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, "?");
}

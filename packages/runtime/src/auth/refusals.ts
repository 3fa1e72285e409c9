import type { Refusal } from "./authenticator.js";
import { type ChallengeParameters, challengeText } from "./challenge.js";
import type { Nonces } from "./dpop/nonces.js";
import { PUBLIC_KEY_ALGORITHMS } from "./tokens/public-key-algorithms.js";
import type { Scheme } from "./scheme.js";

export interface RefusalOptions {
  /** Only tokens that are bound to a key are taken. */
  readonly isProofRequired: boolean;
  /** What clients are told to begin with. */
  readonly scope: string | undefined;
  readonly metadataUrl: string;
  readonly nonces: Nonces | undefined;
}

/** What clients are told that a server does not serve. */
export interface Refusals {
  /** @param scheme the one that the request has used */
  refuse(
    status: Refusal["status"],
    reason: string,
    error?: ChallengeParameters["error"],
    scheme?: Scheme,
  ): Refusal;
  /** The challenge for who lacks some of these scopes. */
  insufficientScope(scopes: readonly string[], reason: string, scheme: Scheme | undefined): string;
}

const ALGORITHMS = PUBLIC_KEY_ALGORITHMS.join(" ");

/**
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-7.1
 */
export function createRefusals(options: RefusalOptions): Refusals {
  const { isProofRequired, scope, metadataUrl, nonces } = options;
  const challengeOf = (scheme: Scheme, parameters: ChallengeParameters): string =>
    challengeText(scheme, {
      ...parameters,
      resource_metadata: metadataUrl,
      ...(scheme === "DPoP" && { algs: ALGORITHMS }),
    });
  const main = (used: Scheme = "Bearer"): Scheme => (isProofRequired ? "DPoP" : used);

  return {
    refuse: (status, reason, error, used) => {
      const scheme = main(used);
      // Without credentials there is no error: RFC 6750, section 3.1.
      const challenge = challengeOf(scheme, { ...(error && { error, error_description: reason }), scope });
      // Who has a token that is bound is not told to show it as if it were not.
      const other =
        status === 401 && scheme === "Bearer" ? `, ${challengeText("DPoP", { algs: ALGORITHMS })}` : "";
      return {
        status,
        reason,
        challenge: challenge + other,
        ...(nonces && { headers: { "dpop-nonce": nonces.current() } }),
      };
    },
    insufficientScope: (scopes, reason, used) =>
      challengeOf(main(used), {
        error: "insufficient_scope",
        error_description: reason,
        scope: scopes.join(" "),
      }),
  };
}

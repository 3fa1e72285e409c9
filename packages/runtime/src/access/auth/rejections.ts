import type { Rejection } from "../../api/auth.js";
import { type ChallengeParameters, formatChallenge } from "./challenge.js";
import type { Nonces } from "./dpop/nonces.js";
import { PUBLIC_KEY_ALGORITHMS } from "./tokens/jose.js";
import type { Scheme } from "./authorization-header.js";

/** The options of rejections. */
export interface RejectionOptions {
  /** Whether only tokens that are bound to a key are accepted. */
  readonly isProofRequired: boolean;
  /** The scopes that clients should request first. */
  readonly scope: string | undefined;
  readonly metadataUrl: string;
  readonly nonces: Nonces | undefined;
}

/** Creates the responses to requests that a server rejects. */
export interface Rejections {
  /**
   * Returns the response to a rejected request.
   *
   * @param scheme the scheme of the request
   */
  reject(
    status: Rejection["status"],
    reason: string,
    error?: ChallengeParameters["error"],
    scheme?: Scheme,
  ): Rejection;
  /** Returns the challenge for a caller who lacks some of these scopes. */
  createScopeChallenge(scopes: readonly string[], reason: string, scheme: Scheme | undefined): string;
}

const ALGORITHMS = PUBLIC_KEY_ALGORITHMS.join(" ");

/**
 * Creates the rejections of one server.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-7.1
 */
export function createRejections(options: RejectionOptions): Rejections {
  const { isProofRequired, scope, metadataUrl, nonces } = options;
  const createChallenge = (scheme: Scheme, parameters: ChallengeParameters): string =>
    formatChallenge(scheme, {
      ...parameters,
      resource_metadata: metadataUrl,
      ...(scheme === "DPoP" && { algs: ALGORITHMS }),
    });
  const chooseScheme = (used: Scheme = "Bearer"): Scheme => (isProofRequired ? "DPoP" : used);

  return {
    reject: (status, reason, error, used) => {
      const scheme = chooseScheme(used);
      // Without credentials there is no error: RFC 6750, section 3.1.
      const challenge = createChallenge(scheme, {
        ...(error && { error, error_description: reason }),
        scope,
      });
      // After a request with the DPoP scheme, bearer tokens are not offered.
      const other =
        status === 401 && scheme === "Bearer" ? `, ${formatChallenge("DPoP", { algs: ALGORITHMS })}` : "";
      return {
        status,
        reason,
        challenge: challenge + other,
        ...(nonces && { headers: { "dpop-nonce": nonces.getCurrent() } }),
      };
    },
    createScopeChallenge: (scopes, reason, used) =>
      createChallenge(chooseScheme(used), {
        error: "insufficient_scope",
        error_description: reason,
        scope: scopes.join(" "),
      }),
  };
}

import { createHmac } from "node:crypto";
import type { StateKeys } from "../../encryption/encryption.js";

/** The period in which the same nonce is issued, in seconds. It is accepted for one more period. */
const WINDOW_SECONDS = 150;

/** Values that clients include in their proofs, so that no proof can be created long before its use. */
export interface Nonces {
  getCurrent(): string;
  accepts(nonce: unknown): boolean;
}

/**
 * Creates nonces from the time and a key, so that nothing is stored, and instances with the same keys accept each
 * other's nonces.
 *
 * @param now returns the time, in milliseconds since 1970
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-9
 */
export function createNonces(keys: StateKeys, now: () => number = Date.now): Nonces {
  const createNonce = (key: Buffer, window: number): string =>
    createHmac("sha256", key).update(`DPoP nonce ${window}`).digest("base64url");
  const getCurrentWindow = (): number => Math.floor(now() / 1000 / WINDOW_SECONDS);
  return {
    getCurrent: () => createNonce(keys()[0], getCurrentWindow()),
    accepts: (nonce) => {
      const window = getCurrentWindow();
      return keys().some(
        (key) => createNonce(key, window) === nonce || createNonce(key, window - 1) === nonce,
      );
    },
  };
}

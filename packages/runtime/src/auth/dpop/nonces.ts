import { createHmac } from "node:crypto";
import type { StateKeys } from "../../encryption/encryption.js";

/** For how long a nonce is given out, in seconds. It is taken for as long again. */
const WINDOW = 150;

/** What clients have to put into their proofs, so that none was made long before it is used. */
export interface Nonces {
  current(): string;
  accepts(nonce: unknown): boolean;
}

/**
 * Nonces that are made of the time and a key, so that nothing is kept, and instances with the same keys know each
 * other's.
 *
 * @param now in milliseconds since 1970
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-9
 */
export function createNonces(keys: StateKeys, now: () => number = Date.now): Nonces {
  const nonceOf = (key: Buffer, window: number): string =>
    createHmac("sha256", key).update(`DPoP nonce ${window}`).digest("base64url");
  const currentWindow = (): number => Math.floor(now() / 1000 / WINDOW);
  return {
    current: () => nonceOf(keys()[0], currentWindow()),
    accepts: (nonce) => {
      const window = currentWindow();
      return keys().some((key) => nonceOf(key, window) === nonce || nonceOf(key, window - 1) === nonce);
    },
  };
}

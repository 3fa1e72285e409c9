/**
 * `requestState`: the state of a call between its rounds, which the client carries and only this server can read.
 *
 * A state is bound to its principal, its request, and a short time, as the specification requires. Within that time it
 * may be used several times: a client whose connection broke sends its retry again, perhaps to another instance. Using
 * a state twice usually achieves no more than calling twice. If it does, the handler calls `ctx.consumeRequestState()`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/mrtr
 * @module
 */
import { createInvalidParamsError } from "../../../api/errors.js";
import { decryptText, encryptText, type StateKeys } from "../../../access/encryption/encryption.js";

/** Encrypts and decrypts states. A state is rejected if its `binding` differs from the one that it was encrypted with. */
export interface StateCipher {
  /**
   * Encrypts a state.
   *
   * @param expires the time when the state expires, in milliseconds since 1970. Default: its lifetime from now
   */
  encrypt(state: object, binding: string, expires?: number): string;
  /**
   * Decrypts a state.
   *
   * @throws ProtocolError for a state that was changed, has expired, or has a different binding
   */
  decrypt(text: string, binding: string): { state: unknown; expires: number };
}

/**
 * Creates the cipher of states.
 *
 * @param lifetimeMs the time for which a state is valid, in milliseconds
 * @param now the clock, in milliseconds since 1970
 */
export function createStateCipher(
  keys: StateKeys,
  lifetimeMs: number,
  now: () => number = Date.now,
): StateCipher {
  return {
    encrypt: (state, binding, expires = now() + lifetimeMs) =>
      encryptText(JSON.stringify({ expires, state }), keys, binding),
    decrypt(text, binding) {
      const decrypted = decryptText(text, keys, binding);
      if (decrypted === undefined) {
        throw createInvalidParamsError("`requestState` was not created by this server for this request.");
      }
      const { expires, state } = JSON.parse(decrypted) as { expires: number; state: unknown };
      if (expires < now())
        throw createInvalidParamsError("`requestState` has expired. Call again without it.");
      return { state, expires };
    },
  };
}

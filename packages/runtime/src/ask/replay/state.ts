/**
 * `requestState`: what a call has learnt so far, carried by the client and readable only here.
 *
 * A state is bound to its principal, its request and a short time, as the specification wants it, and may be used
 * more than once in that time: a client whose connection broke sends its retry again, and the instance that gets
 * it may be another one than before. What the client could do with a state twice it could as well do by calling
 * twice. A handler for which that is not so calls `ctx.spendState()`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/mrtr
 * @module
 */
import { invalidParams } from "../../api/errors.js";
import { decryptText, encryptText, type StateKeys } from "../../encryption/encryption.js";

/** Encrypts and decrypts states. `binding` is what a state belongs to: it is refused anywhere else. */
export interface StateCipher {
  /** @param expires when it becomes too old, by the clock. Default: a lifetime from now. */
  encrypt(state: object, binding: string, expires?: number): string;
  /** @throws ProtocolError when the state was changed, is too old, or belongs elsewhere */
  decrypt(text: string, binding: string): { state: unknown; expires: number };
}

/** `lifetimeMs` is how long a state stays valid; `now` is the clock, in milliseconds. */
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
        throw invalidParams("`requestState` is not one that this server gave for this request.");
      }
      const { expires, state } = JSON.parse(decrypted) as { expires: number; state: unknown };
      if (expires < now()) throw invalidParams("`requestState` has expired; call again without it.");
      return { state, expires };
    },
  };
}

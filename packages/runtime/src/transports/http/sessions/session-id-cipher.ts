/**
 * Encrypted session IDs: the ID that a client sends contains the agreement of its session. Every process with the keys
 * can serve the session without a store, whichever process opened it.
 *
 * An ID is bound to its principal and its server, cannot be forged or changed, and expires. Later changes by the client
 * are not in it, since the ID of a session never changes.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 * @module
 */
import type { Principal } from "../../../api/caller.js";
import { decryptText, encryptText, readStateKeys } from "../../../access/encryption/encryption.js";
import type { Agreement } from "../../../protocol/agreement.js";
import { getBinding } from "../../../access/principal.js";
import { findRevision } from "../../../protocol/revisions.js";
import type { ClientCapabilities, Implementation } from "../../../protocol/specification.js";

/** Maximum length of an ID, below the kilobyte that proxies allow for any header. */
const MAX_CHARACTERS = 1000;

/** Maximum length of a client's name and version in an ID, if the full description does not fit. */
const MAX_NAME_CHARACTERS = 64;

type IdContent = [
  id: string,
  openedAt: number,
  revision: string,
  capabilities: ClientCapabilities,
  info: Implementation | null,
];

export interface SessionIdCipher {
  /** Returns the ID of a session; `undefined` if the client's capabilities are too long for an ID. */
  encrypt(agreement: Agreement, principal: Principal | undefined): string | undefined;
  /** Returns the agreement in an ID, for the principal that opened the session and until the ID expires. */
  decrypt(id: string, principal: Principal | undefined): Agreement | undefined;
}

/**
 * Creates the cipher for session IDs.
 *
 * @param stateKeys the keys of `TENON_STATE_KEYS`: the first encrypts, and all of them decrypt
 * @param serverName binds IDs to this server: other servers with the same keys do not decrypt them
 * @param lifetimeMs the time for which an ID is valid, in milliseconds
 * @returns undefined without keys: no other process would have a key that this process created for itself
 * @throws Error if a key is too short to be a secret
 */
export function createSessionIdCipher(
  stateKeys: string | undefined,
  serverName: string,
  lifetimeMs: number,
): SessionIdCipher | undefined {
  if (stateKeys === undefined) return undefined;
  const keys = readStateKeys(stateKeys, "tenon session");
  const createBinding = (principal: Principal | undefined): string =>
    JSON.stringify([serverName, getBinding(principal)]);
  return {
    encrypt({ id, openedAt, revision, client: { capabilities, info } }, principal) {
      const binding = createBinding(principal);
      for (const description of info === undefined ? [info] : [info, shorten(info)]) {
        const content: IdContent = [id, openedAt, revision.id, capabilities, description ?? null];
        const encrypted = encryptText(JSON.stringify(content), keys, binding);
        if (encrypted.length <= MAX_CHARACTERS) return encrypted;
      }
      return undefined;
    },
    decrypt(encrypted, principal) {
      // No valid ID is longer.
      if (encrypted.length > MAX_CHARACTERS) return undefined;
      const text = decryptText(encrypted, keys, createBinding(principal));
      if (text === undefined) return undefined;
      const [id, openedAt, name, capabilities, info] = JSON.parse(text) as IdContent;
      const revision = findRevision(name, "legacy");
      const idExpires = openedAt + lifetimeMs;
      if (revision === undefined || idExpires < Date.now()) return undefined;
      return { id, openedAt, idExpires, revision, client: { capabilities, ...(info && { info }) } };
    },
  };
}

function shorten({ name, version }: Implementation): Implementation {
  return { name: name.slice(0, MAX_NAME_CHARACTERS), version: version.slice(0, MAX_NAME_CHARACTERS) };
}

/**
 * Sessions that clients carry: the id by which a client names its session is what was agreed when it opened, encrypted.
 * Every process that has the keys serves it, without a store, and whichever process opened it.
 *
 * An id belongs to its principal and its server, cannot be made or changed by anybody else, and ends by its age. What a
 * client changes later is not in it, since a session has one id for its whole life.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 * @module
 */
import type { Principal } from "../../../api/caller.js";
import { decryptText, encryptText, readStateKeys } from "../../../encryption/encryption.js";
import type { Agreement } from "../../../protocol/agreement.js";
import { bindingOf } from "../../../connection/principal.js";
import { findRevision } from "../../../protocol/revisions.js";
import type { ClientCapabilities, Implementation } from "../../../protocol/specification.js";

/** Below the kilobyte that proxies let pass in any header. */
const MOST_CHARACTERS = 1000;

/** What is kept of a name or a version where there is no room for all that a client says of itself. */
const NAME_CHARACTERS = 64;

type Carried = [
  id: string,
  openedAt: number,
  revision: string,
  capabilities: ClientCapabilities,
  info: Implementation | null,
];

export interface SessionIdCipher {
  /** The id of a session; `undefined` when the client's capabilities are more than an id can hold. */
  encrypt(agreement: Agreement, principal: Principal | undefined): string | undefined;
  /** What an id says, for the principal that opened the session and before the id is too old. */
  decrypt(id: string, principal: Principal | undefined): Agreement | undefined;
}

/**
 * @param stateKeys those of `TENON_STATE_KEYS`: the first encrypts, all decrypt; without any, ids carry nothing
 * @param serverName instances of one server decrypt each other's sessions; other servers with the same keys do not
 * @param lifetimeMs how long an id is valid
 * @throws Error when a key is too short to be a secret
 */
export function createSessionIdCipher(
  stateKeys: string | undefined,
  serverName: string,
  lifetimeMs: number,
): SessionIdCipher | undefined {
  // Nobody else has a key that this process made for itself.
  if (!/[^,\s]/.test(stateKeys ?? "")) return undefined;
  const keys = readStateKeys(stateKeys, "tenon session");
  const placeOf = (principal: Principal | undefined): string =>
    JSON.stringify([serverName, bindingOf(principal)]);
  return {
    encrypt({ id, openedAt, revision, client: { capabilities, info } }, principal) {
      const place = placeOf(principal);
      for (const said of info === undefined ? [info] : [info, shortened(info)]) {
        const facts: Carried = [id, openedAt, revision.id, capabilities, said ?? null];
        const encrypted = encryptText(JSON.stringify(facts), keys, place);
        if (encrypted.length <= MOST_CHARACTERS) return encrypted;
      }
      return undefined;
    },
    decrypt(encrypted, principal) {
      // Longer ones are none of ours, and not worth the work.
      if (encrypted.length > MOST_CHARACTERS) return undefined;
      const text = decryptText(encrypted, keys, placeOf(principal));
      if (text === undefined) return undefined;
      const [id, openedAt, name, capabilities, info] = JSON.parse(text) as Carried;
      const revision = findRevision(name, "legacy");
      const idExpires = openedAt + lifetimeMs;
      if (revision === undefined || idExpires < Date.now()) return undefined;
      return { id, openedAt, idExpires, revision, client: { capabilities, ...(info && { info }) } };
    },
  };
}

function shortened({ name, version }: Implementation): Implementation {
  return { name: name.slice(0, NAME_CHARACTERS), version: version.slice(0, NAME_CHARACTERS) };
}

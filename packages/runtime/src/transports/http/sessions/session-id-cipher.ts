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
import { decryptText, encryptText, readStateKeys } from "../../../ask/state.js";
import type { Agreement } from "../../../connection/agreement.js";
import { bindingOf } from "../../../connection/principal.js";
import { findRevision } from "../../../protocol/revisions.js";
import type { ClientCapabilities, Implementation } from "../../../protocol/specification.js";

/** Below the kilobyte that proxies let pass in any header. */
const MOST_CHARACTERS = 1000;

/** What is kept of a name or a version where there is no room for all that a client says of itself. */
const NAME_CHARACTERS = 64;

type Sealed = [
  id: string,
  openedAt: number,
  revision: string,
  capabilities: ClientCapabilities,
  info: Implementation | null,
];

export interface SessionSeal {
  /** The id of a session; `undefined` when the client's capabilities are more than an id can hold. */
  seal(agreement: Agreement, principal: Principal | undefined): string | undefined;
  /** What an id says, for the principal that opened the session and before the id is too old. */
  open(id: string, principal: Principal | undefined): Agreement | undefined;
}

/**
 * @param stateKeys those of `TENON_STATE_KEYS`: the first seals, all open; without any, nothing is sealed
 * @param serverName instances of one server open each other's sessions; other servers with the same keys do not
 * @param lifetimeMs how long an id is valid
 * @throws Error when a key is too short to be a secret
 */
export function createSessionSeal(
  stateKeys: string | undefined,
  serverName: string,
  lifetimeMs: number,
): SessionSeal | undefined {
  // Nobody else has a key that this process made for itself.
  if (!/[^,\s]/.test(stateKeys ?? "")) return undefined;
  const keys = readStateKeys(stateKeys, "tenon session");
  const placeOf = (principal: Principal | undefined): string =>
    JSON.stringify([serverName, bindingOf(principal)]);
  return {
    seal({ id, openedAt, revision, client: { capabilities, info } }, principal) {
      const place = placeOf(principal);
      for (const said of info === undefined ? [info] : [info, shortened(info)]) {
        const facts: Sealed = [id, openedAt, revision.id, capabilities, said ?? null];
        const sealed = encryptText(JSON.stringify(facts), keys, place);
        if (sealed.length <= MOST_CHARACTERS) return sealed;
      }
      return undefined;
    },
    open(sealed, principal) {
      // Longer ones are none of ours, and not worth the work.
      if (sealed.length > MOST_CHARACTERS) return undefined;
      const text = decryptText(sealed, keys, placeOf(principal));
      if (text === undefined) return undefined;
      const [id, openedAt, name, capabilities, info] = JSON.parse(text) as Sealed;
      const revision = findRevision(name, "legacy");
      const sealedUntil = openedAt + lifetimeMs;
      if (revision === undefined || sealedUntil < Date.now()) return undefined;
      return { id, openedAt, sealedUntil, revision, client: { capabilities, ...(info && { info }) } };
    },
  };
}

function shortened({ name, version }: Implementation): Implementation {
  return { name: name.slice(0, NAME_CHARACTERS), version: version.slice(0, NAME_CHARACTERS) };
}

import type { ChangeSource } from "../api/notifier.js";
import { notificationText } from "../protocol/jsonrpc.js";
import type { Peer } from "../transports/transport.js";

/** How many ids of one client are kept, the newest, that nobody has said to be completed. */
const MOST_OF_ONE_PEER = 1000;

/**
 * The clients whose users have been sent to a URL, by the `elicitationId`: each is told, once, when its user is done
 * there. A client is told of its own elicitations alone.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation
 */
export class Elicitations {
  readonly #peersOf = new Map<string, Set<Peer>>();
  readonly #idsOf = new Map<Peer, Set<string>>();
  readonly #stop: () => void;

  constructor(changes: ChangeSource) {
    this.#stop = changes.onChange((change) => {
      if (change.kind === "elicitation") this.#complete(change.id);
    });
  }

  /** The client is about to learn the id. */
  begin(id: string, peer: Peer): void {
    const ids = this.#idsOf.get(peer) ?? new Set();
    this.#idsOf.set(peer, ids.add(id));
    this.#peersOf.set(id, (this.#peersOf.get(id) ?? new Set()).add(peer));
    const [oldest] = ids;
    if (ids.size > MOST_OF_ONE_PEER && oldest !== undefined) this.end(oldest, peer);
  }

  /** The client need not be told any more, as when its user declined. */
  end(id: string, peer: Peer): void {
    const peers = this.#peersOf.get(id);
    peers?.delete(peer);
    if (peers?.size === 0) this.#peersOf.delete(id);
    const ids = this.#idsOf.get(peer);
    ids?.delete(id);
    if (ids?.size === 0) this.#idsOf.delete(peer);
  }

  /** Nothing can be sent to the client any more. */
  forget(peer: Peer): void {
    for (const id of [...(this.#idsOf.get(peer) ?? [])]) this.end(id, peer);
  }

  /** Nobody is told anything from here on. */
  close(): void {
    this.#stop();
  }

  #complete(id: string): void {
    const text = notificationText("notifications/elicitation/complete", { elicitationId: id });
    for (const peer of [...(this.#peersOf.get(id) ?? [])]) {
      this.end(id, peer);
      peer.send(text);
    }
  }
}

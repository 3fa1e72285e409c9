import type { ChangeSource } from "../../api/notifier.js";
import { toNotificationText } from "../../protocol/jsonrpc.js";
import type { Peer } from "../../transports/transport.js";

/** Maximum number of elicitations of one client that are not completed. Older ones are forgotten. */
const MAX_ELICITATIONS_PER_PEER = 1000;

/**
 * The clients whose users were sent to a URL, by the `elicitationId`. Each client is notified once, when its own user
 * has finished there.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#completion-notifications-for-url-mode-elicitation
 */
export class Elicitations {
  readonly #peersById = new Map<string, Set<Peer>>();
  readonly #idsByPeer = new Map<Peer, Set<string>>();
  readonly #stop: () => void;

  constructor(changes: ChangeSource) {
    this.#stop = changes.onChange((change) => {
      if (change.kind === "elicitation") this.#complete(change.id);
    });
  }

  /** Adds an ID that the client is about to receive. */
  begin(id: string, peer: Peer): void {
    const ids = this.#idsByPeer.get(peer) ?? new Set();
    this.#idsByPeer.set(peer, ids.add(id));
    this.#peersById.set(id, (this.#peersById.get(id) ?? new Set()).add(peer));
    const [oldest] = ids;
    if (ids.size > MAX_ELICITATIONS_PER_PEER && oldest !== undefined) this.end(oldest, peer);
  }

  /** Removes an ID whose completion does not concern the client, for example after its user declined. */
  end(id: string, peer: Peer): void {
    const peers = this.#peersById.get(id);
    peers?.delete(peer);
    if (peers?.size === 0) this.#peersById.delete(id);
    const ids = this.#idsByPeer.get(peer);
    ids?.delete(id);
    if (ids?.size === 0) this.#idsByPeer.delete(peer);
  }

  /** Removes a client that has disconnected. */
  forget(peer: Peer): void {
    for (const id of [...(this.#idsByPeer.get(peer) ?? [])]) this.end(id, peer);
  }

  /** Stops notifying clients. */
  close(): void {
    this.#stop();
  }

  #complete(id: string): void {
    const text = toNotificationText("notifications/elicitation/complete", { elicitationId: id });
    for (const peer of [...(this.#peersById.get(id) ?? [])]) {
      this.end(id, peer);
      peer.send(text);
    }
  }
}

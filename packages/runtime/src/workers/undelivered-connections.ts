import cluster, { type Worker } from "node:cluster";

/** What `node:cluster` sends to a worker. */
interface Message {
  /** `"newconn"` for a connection. */
  readonly act?: string;
  /** The address that it came to. */
  readonly key?: string;
  readonly seq?: number;
}

interface Delivery {
  readonly seq: number | undefined;
  readonly connection: { close(): void };
}

/** How often it is looked whether all has been read that a worker has said before its end. */
const READ_EVERY_MS = 5;

/**
 * Gives a connection that was on its way to a worker when that one ended to another. Node's own scheduler forgets it: it
 * stays open in this process, where nobody reads it, and its client waits for ever.
 *
 * A worker that is about to stop declines a connection, and the scheduler is told that this one has. The messages are
 * Node's own, of all releases so far; to a release that has others, this does nothing.
 */
export function deliverElsewhere({ process: child }: Worker): void {
  /** One at a time is on its way from each address. */
  const latest = new Map<string | undefined, Delivery>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: Message, ...rest: unknown[]): boolean => {
    const [connection] = rest as [Delivery["connection"]];
    if (message.act === "newconn") latest.set(message.key, { seq: message.seq, connection });
    return send(message, ...rest);
  };
  const decline = (): void => {
    // Among what is still to be read may be that it has taken the connection.
    if (child.connected) return void setTimeout(decline, READ_EVERY_MS);
    const hasOthers = Object.values(cluster.workers ?? {}).some((worker) => worker?.isDead() === false);
    for (const { seq, connection } of latest.values()) {
      if (hasOthers) child.emit("internalMessage", { cmd: "NODE_CLUSTER", ack: seq, accepted: false });
      else connection.close();
    }
  };
  child.once("exit", () => setImmediate(decline));
}

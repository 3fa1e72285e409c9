import cluster, { type Worker } from "node:cluster";

/** A message of `node:cluster` to a worker. */
interface Message {
  /** `"newconn"` for a connection. */
  readonly act?: string;
  /** The address on which the connection arrived. */
  readonly key?: string;
  readonly seq?: number;
}

interface Delivery {
  readonly seq: number | undefined;
  readonly connection: { close(): void };
}

/** The interval at which a dead worker's channel is checked for unread messages, in milliseconds. */
const CHECK_INTERVAL_MS = 5;

/**
 * Delivers a connection to another worker if the worker to which it was sent has ended. Node's scheduler would
 * forget the connection: it would stay open in this process without a reader, and its client would wait forever.
 *
 * A worker that is about to stop declines connections with a message. This function sends the scheduler the same message
 * on behalf of a worker that has ended. The messages are internal to Node, and the same in all releases so far. If a
 * release changes them, this function has no effect.
 */
export function deliverElsewhere({ process: child }: Worker): void {
  /** The latest delivery from each address. Each address has one at a time. */
  const latest = new Map<string | undefined, Delivery>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: Message, ...rest: unknown[]): boolean => {
    const [connection] = rest as [Delivery["connection"]];
    if (message.act === "newconn") latest.set(message.key, { seq: message.seq, connection });
    return send(message, ...rest);
  };
  const decline = (): void => {
    // The unread messages may report that the worker has accepted the connection.
    if (child.connected) return void setTimeout(decline, CHECK_INTERVAL_MS);
    const hasOthers = Object.values(cluster.workers ?? {}).some((worker) => worker?.isDead() === false);
    for (const { seq, connection } of latest.values()) {
      if (hasOthers) child.emit("internalMessage", { cmd: "NODE_CLUSTER", ack: seq, accepted: false });
      else connection.close();
    }
  };
  child.once("exit", () => setImmediate(decline));
}

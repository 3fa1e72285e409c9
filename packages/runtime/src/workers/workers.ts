/**
 * What the processes of one machine share: `@tenon/runtime/workers`.
 * @module
 */
import type { Sharing } from "../api/store.js";
import { shared } from "../replicas/share-store.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { type PrimaryChannel, PrimaryStore } from "./primary-store.js";
import { workerNumber } from "./worker-number.js";

/**
 * Has the processes of `node dist/server.js --http --workers 4` share what outlives a request, in the memory of the one
 * that has started the others: sessions, streams, subscriptions, tasks, rate limits. They need nothing else, and what is
 * shared ends with them. `undefined` in a server of one process, which keeps all that by itself.
 *
 * @example
 * export default defineServer({ store: workers() });
 */
export function workers(): Sharing | undefined {
  return workerNumber() === undefined ? undefined : shared(new PrimaryStore(primaryChannel()));
}

/** Loads the store into the first process when it is first asked. */
function primaryChannel(): PrimaryChannel {
  const send = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {});
  let isThere: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const { moduleUrl } = await import("./store-host.js");
    send({ tenon: "host", module: moduleUrl });
  };
  return {
    send: (request) => {
      isThere ??= load();
      void isThere.then(() => send({ tenon: "store", request }));
    },
    onReply: (listener) => {
      process.on("message", (message: ToWorker) => {
        if (message.tenon === "store") listener(message.reply);
      });
    },
  };
}

/**
 * State that the processes of one machine share: `@tenon/runtime/workers`.
 * @module
 */
import type { SharedStore } from "../../api/store.js";
import { createSharedStore } from "../shared-store.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { type PrimaryChannel, PrimaryStore } from "./primary-store.js";
import { getWorkerNumber } from "../../observe/metrics/worker-number.js";

/**
 * Shares the state that outlives a request among the processes of `node dist/server.js --http --workers 4`: sessions,
 * streams, subscriptions, tasks, rate limits. The state is in the memory of the primary process, and is lost when that
 * process ends. No other software is needed. Returns `undefined` in a server with one process, which keeps its own
 * state.
 *
 * @example
 * export default defineServer({ store: workers() });
 */
export function workers(): SharedStore | undefined {
  return getWorkerNumber() === undefined
    ? undefined
    : createSharedStore(new PrimaryStore(createPrimaryChannel()), false);
}

/** Creates the channel. The first request loads the store into the primary process. */
function createPrimaryChannel(): PrimaryChannel {
  const send = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {});
  let loaded: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const { moduleUrl } = await import("./store-host.js");
    send({ tenon: "host", module: moduleUrl });
  };
  return {
    send: (request) => {
      loaded ??= load();
      void loaded.then(() => send({ tenon: "store", request }));
    },
    onReply: (listener) => {
      process.on("message", (message: ToWorker) => {
        if (message.tenon === "store") listener(message.reply);
      });
    },
  };
}

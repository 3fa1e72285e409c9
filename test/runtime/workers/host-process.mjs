/** A process that hosts the store of workers, as the first process of `--workers` does. */
// Internal: the other end of this store, in its own process.
import { createStoreHost } from "../../../packages/runtime/dist/cluster/workers/store-host.js";

const host = createStoreHost();

/** @type {Map<number, import("../../../packages/runtime/dist/cluster/workers/messages.js").ServedWorker>} */
const workers = new Map();

process.on("message", ({ worker, request }) => {
  let served = workers.get(worker);
  if (served === undefined) {
    served = host.serve((reply) => process.send?.({ worker, reply }));
    workers.set(worker, served);
  }
  // The worker has exited.
  if (request === undefined) served.close();
  else served.handle(request);
});

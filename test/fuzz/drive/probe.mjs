/** Loaded first in a server's process: reports on request how many resources it holds. */
import { setTimeout as wait } from "node:timers/promises";

process.on("message", async () => {
  // Closed sockets are released in later turns of the event loop.
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.();
    await wait(20);
  }
  /** @type {Record<string, number>} */
  const resources = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const { heapUsed, rss, external } = process.memoryUsage();
  process.send?.({ heap: heapUsed + external, rss, resources });
});
process.channel?.unref();

/**
 * Starts a server in this process, or in as many workers as the command line specifies.
 * @module
 */
import cluster from "node:cluster";

/** @param {() => void} serve */
export function start(serve) {
  const workers = Number(process.argv[2] ?? 0);
  if (workers === 0 || cluster.isWorker) return serve();
  for (let count = 0; count < workers; count++) cluster.fork();
}

/** Reports the address to the process that measures. @param {import("node:http").Server} server */
export function listen(server) {
  server.listen(0, "127.0.0.1", () => {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    process.stderr.write(`http://127.0.0.1:${port}/mcp\n`);
  });
}

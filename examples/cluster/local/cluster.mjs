import { randomBytes } from "node:crypto";
import { Replica } from "./replica.mjs";
import { startRoundRobin } from "./round-robin.mjs";

/**
 * @typedef {object} Cluster
 * @property {string} url
 * @property {import("node:http").Server} proxy
 * @property {() => Promise<void>} stop
 */

/**
 * Starts three replicas of the built server, and a proxy that distributes requests to them.
 *
 * @param {object} options
 * @param {string} options.redis
 * @param {number} [options.port] of the proxy; 0 picks a free one
 * @param {(number: number, line: string) => void} [options.onLog] receives the log lines of replicas
 * @returns {Promise<Cluster>}
 */
export async function startCluster({ redis, port = 0, onLog = () => {} }) {
  const environment = {
    ...process.env,
    TENON_REDIS_URL: redis,
    // All replicas share the keys, so that each can decrypt what another encrypted.
    TENON_STATE_KEYS: process.env["TENON_STATE_KEYS"] ?? randomBytes(32).toString("base64"),
  };
  const replicas = [1, 2, 3].map((number) => new Replica(number, environment, onLog));
  await Promise.all(replicas.map((replica) => replica.start()));
  const proxy = await startRoundRobin(replicas, port);
  const address = /** @type {import("node:net").AddressInfo} */ (proxy.address());
  return {
    url: `http://localhost:${address.port}/mcp`,
    proxy,
    stop: async () => {
      proxy.close();
      await Promise.all(replicas.map((replica) => replica.stop()));
      proxy.closeAllConnections();
    },
  };
}

import { Ledger } from "./ledger.mjs";
import { ReplicaProcess } from "./replica.mjs";
import { RoundRobin } from "./round-robin.mjs";

/** Key that instances that serve the same clients share. */
const STATE_KEYS = "a key that is the same for all replicas";

export const NAMES = /** @type {const} */ (["a", "b", "c"]);

/**
 * Replicas of one server behind a proxy, and the ledger in which their handlers record their effects.
 *
 * @typedef {object} Cluster
 * @property {URL} url The proxy's.
 * @property {RoundRobin} proxy
 * @property {Ledger} ledger
 * @property {readonly ReplicaProcess[]} replicas
 * @property {(name: string) => ReplicaProcess} replica
 * @property {readonly { name: string }[]} named
 * @property {() => Promise<void>} close
 */

/**
 * Starts three processes of one built server.
 *
 * @param {object} options
 * @param {string} options.program The built server.
 * @param {string} [options.redis] The URL of their Redis, unless they share nothing.
 * @param {Record<string, string>} [options.env]
 * @param {number} [options.count]
 * @returns {Promise<Cluster>}
 */
export async function startCluster({ program, redis, env = {}, count = NAMES.length }) {
  const ledger = new Ledger();
  await ledger.listen();
  const replicas = NAMES.slice(0, count).map(
    (name) =>
      new ReplicaProcess(program, {
        ...process.env,
        REPLICA: name,
        LEDGER_URL: ledger.url,
        TENON_STATE_KEYS: STATE_KEYS,
        ...(redis === undefined ? {} : { TENON_REDIS_URL: redis }),
        ...env,
      }),
  );
  await Promise.all(replicas.map((replica) => replica.start()));
  const proxy = new RoundRobin(replicas.map((replica) => () => replica.url));
  await proxy.listen();
  return {
    url: proxy.url,
    proxy,
    ledger,
    replicas,
    named: NAMES.slice(0, count).map((name) => ({ name })),
    replica: (name) => /** @type {ReplicaProcess} */ (replicas[NAMES.findIndex((each) => each === name)]),
    close: async () => {
      await proxy.close();
      await Promise.all(replicas.map((replica) => replica.kill()));
      await ledger.close();
    },
  };
}

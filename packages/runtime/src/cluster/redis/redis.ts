/**
 * Shares state among the processes of a server, in Redis or Valkey.
 *
 * @example
 * import { redis } from "@tenon/runtime/redis";
 * export default defineServer({ store: redis("rediss://user:password@redis.example.com:6379/0") });
 * @module
 */
import type { LogSink } from "../../api/log.js";
import type { SharedStore } from "../../api/store.js";
import type { JoinableStore, JoinedStore } from "../../call/joined-store.js";
import { sharedStore } from "../shared-store.js";
import type { RedisClient } from "./client.js";
import { type RedisOptions, readOptions } from "./options.js";
import { RedisStore } from "./redis-store.js";

export type { SharedStore, Store } from "../../api/store.js";
export type { RedisClient } from "./client.js";
export type { RedisOptions } from "./options.js";

/**
 * Shares the state that outlives a request among all processes of a server, in Redis 6.2 or later, or in any version of
 * Valkey. Needs the package `@redis/client`, which is loaded when the server starts.
 *
 * While Redis is unreachable, calls that do not need it continue. Others receive 503 immediately, or after `timeoutMs`
 * if Redis is slow. Connections recover by themselves.
 *
 * @param clientOrUrl
 *   The URL, `redis:` or (TLS) `rediss:`, with user name, password, and database; default: `TENON_REDIS_URL` of the
 *   environment. Or a client from `createClient`, `createClientPool`, or `createCluster`: if it is already connected,
 *   you close it; otherwise the first server that uses it connects it, and the last one closes it. Messages arrive on a
 *   second connection with the settings of that client.
 * @throws TypeError for invalid options or clients
 * @example
 * defineServer({ store: redis() })
 * defineServer({ store: redis(undefined, { cluster: ["redis://10.0.0.1:6379", "redis://10.0.0.2:6379"] }) })
 * defineServer({ store: redis(createClient({ url, socket: { tls: true, ca } })) })
 */
export function redis(clientOrUrl?: RedisClient | string, options: RedisOptions = {}): SharedStore {
  const store = new RedisStore(readOptions(clientOrUrl, options, process.env));
  const shared = sharedStore(store) as JoinableStore;
  let joinCount = 0;
  const joinable: JoinableStore = {
    store,
    join: (joinOptions): JoinedStore => {
      joinCount += 1;
      const opened = store.open();
      // The server waits for this. Without a server, each use of the store fails with the same error.
      opened.catch(() => {});
      void opened.then(() => logLossRisks(store, joinOptions.log)).catch(() => {});
      const replica = shared.join(joinOptions);
      return {
        ...replica,
        opened,
        close: async () => {
          await replica.close();
          joinCount -= 1;
          if (joinCount === 0) await store.close();
        },
      };
    },
  };
  return joinable;
}

async function logLossRisks(store: RedisStore, log: LogSink): Promise<void> {
  for (const msg of await store.findLossRisks()) log({ level: "warn", event: "store-may-lose-data", msg });
}

/**
 * Redis, or Valkey, as the place where the processes of a server keep what outlives a request.
 *
 * @example
 * import { redis } from "@tenon/runtime/redis";
 * export default defineServer({ store: redis("rediss://user:password@redis.example.com:6379/0") });
 * @module
 */
import type { Sharing } from "../../api/store.js";
import type { JoinableSharing, Shared } from "../../replicas/sharing.js";
import { shared } from "../../replicas/share-store.js";
import type { RedisClient } from "./client.js";
import { type RedisOptions, readOptions } from "./options.js";
import { RedisStore } from "./redis-store.js";

export type { Sharing, Store } from "../../api/store.js";
export type { RedisClient } from "./client.js";
export type { RedisOptions } from "./options.js";

/**
 * Has all processes of a server share what outlives a request, by a Redis that they reach through the package
 * `@redis/client`: install it, and it is loaded when the server starts. Redis 6.2 or later, any Valkey.
 *
 * While Redis cannot be asked, calls that need nothing of it go on; others are answered with 503 at once or, where Redis
 * is slow, after `timeoutMs`. The connections come back by themselves.
 *
 * @param clientOrUrl
 *   Its URL, `redis:` or (TLS) `rediss:`, with user name, password and database; default: `TENON_REDIS_URL` of the
 *   environment. Or a client of your own, of `createClient`, `createClientPool` or `createCluster`: one that is connected
 *   stays yours to close; one that is not is connected with the server, and closed with it. Messages come by a second
 *   connection, made as that client is.
 * @throws TypeError for what is no URL of Redis and no client
 * @example
 * defineServer({ store: redis() })
 * defineServer({ store: redis(undefined, { cluster: ["redis://10.0.0.1:6379", "redis://10.0.0.2:6379"] }) })
 * defineServer({ store: redis(createClient({ url, socket: { tls: true, ca } })) })
 */
export function redis(clientOrUrl?: RedisClient | string, options: RedisOptions = {}): Sharing {
  const store = new RedisStore(readOptions(clientOrUrl, options, process.env));
  const sharing = shared(store) as JoinableSharing;
  let joined = 0;
  const joinable: JoinableSharing = {
    store,
    join: (joining): Shared => {
      joined += 1;
      const opened = store.open();
      // Whoever serves waits for it; where nobody does, each use of the store says the same.
      opened.catch(() => {});
      const replica = sharing.join(joining);
      return {
        ...replica,
        opened,
        close: async () => {
          await replica.close();
          joined -= 1;
          if (joined === 0) await store.close();
        },
      };
    },
  };
  return joinable;
}

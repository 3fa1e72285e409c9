import type { RedisClientOptions } from "@redis/client";
import { isPool, isRedisClient, type RedisClient } from "./client.js";

export interface RedisOptions {
  /** Put before every key and every topic. Default: nothing; names begin with `tenon:` and the server's name. */
  prefix?: string;
  /** How long one command may take, and one attempt to connect, in whole milliseconds. Default 3000. */
  timeoutMs?: number;
  /**
   * How many replicas must have what is written before it is acknowledged (`WAIT`). A write that reaches fewer within
   * `timeoutMs` is reported as failed, though it may be there. Default 0: what Redis itself has taken is acknowledged.
   */
  waitReplicas?: number;
  /** Nodes by which a Redis Cluster is found, in place of one URL. User name, password and TLS are those of the first. */
  cluster?: readonly string[];
  /** Further options of `@redis/client` for connections that the store makes: `{ socket: { ca, cert, key } }`. */
  client?: Omit<RedisClientOptions, "url">;
}

/** Where Redis is. */
export type RedisPlace =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "cluster"; readonly urls: readonly string[] }
  | { readonly kind: "client"; readonly client: RedisClient };

export interface RedisSettings {
  readonly place: RedisPlace;
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly waitReplicas: number;
  readonly client: Omit<RedisClientOptions, "url">;
}

const DEFAULT_TIMEOUT_MS = 3000;

/** @throws TypeError for what cannot be */
export function readOptions(
  clientOrUrl: RedisClient | string | undefined,
  options: RedisOptions,
  env: NodeJS.ProcessEnv,
): RedisSettings {
  const { prefix = "", timeoutMs = DEFAULT_TIMEOUT_MS, waitReplicas = 0, cluster, client = {} } = options;
  if (typeof prefix !== "string" || /[{}]/.test(prefix))
    throw new TypeError("redis: `prefix` must be a text without braces, which mark what is kept together.");
  if (!Number.isInteger(timeoutMs) || timeoutMs <= 0)
    throw new TypeError("redis: `timeoutMs` must be a whole number of milliseconds above 0.");
  if (!Number.isInteger(waitReplicas) || waitReplicas < 0)
    throw new TypeError("redis: `waitReplicas` must be a number of replicas, or 0.");
  if (cluster !== undefined && clientOrUrl !== undefined)
    throw new TypeError("redis: give one URL, a client, or `cluster`.");
  const place = placeOf(cluster ?? clientOrUrl ?? env["TENON_REDIS_URL"]);
  if (waitReplicas > 0 && place.kind === "client" && isPool(place.client))
    throw new TypeError(
      "redis: `waitReplicas` is about one connection: give a client of createClient, not a pool.",
    );
  checkTls(place, client);
  return { place, prefix, timeoutMs, waitReplicas, client };
}

/** The library says so, too, but with the URL, which may hold a password. */
function checkTls(place: RedisPlace, { socket }: RedisSettings["client"]): void {
  if (place.kind === "client") return;
  const urls = place.kind === "url" ? [place.url] : place.urls;
  const wanted = urls.map((url) => new URL(url).protocol === "rediss:");
  if (socket !== undefined && "tls" in socket && socket.tls !== undefined) wanted.push(socket.tls);
  if (new Set(wanted).size > 1)
    throw new TypeError(
      "redis: TLS is for all or for none: rediss://… goes with `tls: true`, redis://… with neither.",
    );
}

function placeOf(given: RedisClient | string | readonly string[] | undefined): RedisPlace {
  if (given === undefined || given === "")
    throw new TypeError(
      "redis: say where Redis is, by an argument or by TENON_REDIS_URL in the environment.",
    );
  if (typeof given === "string") return { kind: "url", url: checkedUrl(given) };
  if (Array.isArray(given)) {
    if (given.length === 0) throw new TypeError("redis: `cluster` must name one node at least.");
    return { kind: "cluster", urls: given.map(checkedUrl) };
  }
  if (isRedisClient(given)) return { kind: "client", client: given };
  throw new TypeError(
    "redis: this is no client of `@redis/client` (createClient, createClientPool or createCluster).",
  );
}

/** What is wrong is said without the text, which may hold a password. */
function checkedUrl(url: string): string {
  if (typeof url !== "string" || !URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol))
    throw new TypeError("redis: the URL of Redis must begin with redis:// or rediss://.");
  if (!/^\/?\d*$/.test(new URL(url).pathname))
    throw new TypeError("redis: the path of the URL of Redis must be the number of a database, or nothing.");
  return url;
}

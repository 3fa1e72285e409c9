import type { RedisClientOptions } from "@redis/client";
import { isPool, isRedisClient, type RedisClient } from "./client.js";
import { parseUrl } from "../../protocol/parse-url.js";
import { checkOptionNames } from "../../data/options/check-option-names.js";

export interface RedisOptions {
  /** Prefix of every key and every topic. Default: none; names begin with `tenon:` and the server's name. */
  prefix?: string | undefined;
  /** Timeout of a command and of an attempt to connect, in whole milliseconds. Default: 3000. */
  timeoutMs?: number | undefined;
  /**
   * Number of replicas that must have a write before it is acknowledged (`WAIT`). A write that reaches fewer within
   * `timeoutMs` is reported as failed, although it may have been stored. Default: 0, so that a write is acknowledged after the
   * primary has it.
   */
  waitReplicas?: number | undefined;
  /**
   * Nodes for the discovery of a Redis Cluster, instead of one URL. The user name, password, and TLS setting of the
   * first apply to all.
   */
  cluster?: readonly string[] | undefined;
  /** Further options of `@redis/client` for connections that the store opens: `{ socket: { ca, cert, key } }`. */
  client?: Omit<RedisClientOptions, "url"> | undefined;
}

/** The location of Redis. */
export type RedisLocation =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "cluster"; readonly urls: readonly string[] }
  | { readonly kind: "client"; readonly client: RedisClient };

export interface RedisSettings {
  readonly location: RedisLocation;
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly waitReplicas: number;
  readonly client: Omit<RedisClientOptions, "url">;
}

const DEFAULT_TIMEOUT_MS = 3000;

/**
 * Reads the options of a store.
 *
 * @throws TypeError for invalid options
 */
export function readOptions(
  clientOrUrl: RedisClient | string | undefined,
  options: RedisOptions,
  env: NodeJS.ProcessEnv,
): RedisSettings {
  checkOptionNames<RedisOptions>("redis", options, {
    prefix: true,
    timeoutMs: true,
    waitReplicas: true,
    cluster: true,
    client: true,
  });
  const { prefix = "", timeoutMs = DEFAULT_TIMEOUT_MS, waitReplicas = 0, cluster, client = {} } = options;
  if (typeof prefix !== "string" || /[{}]/.test(prefix))
    throw new TypeError("redis: `prefix` must be a string without braces, which Redis uses as hash tags.");
  if (!Number.isInteger(timeoutMs) || timeoutMs <= 0)
    throw new TypeError("redis: `timeoutMs` must be a whole number of milliseconds of at least 1.");
  if (!Number.isInteger(waitReplicas) || waitReplicas < 0)
    throw new TypeError("redis: `waitReplicas` must be a whole number of at least 0.");
  if (cluster !== undefined && clientOrUrl !== undefined)
    throw new TypeError("redis: pass only one of these: a URL, a client, or `cluster`.");
  const location = findLocation(cluster ?? clientOrUrl ?? env["TENON_REDIS_URL"]);
  if (waitReplicas > 0 && location.kind === "client" && isPool(location.client))
    throw new TypeError(
      "redis: `waitReplicas` needs a single connection. Pass a client from createClient, not a pool.",
    );
  checkTls(location, client);
  if (location.kind === "url" && hasOtherDatabase(location.url, client.database))
    throw new TypeError("redis: the URL and `client` have different database numbers. Remove one of them.");
  return { location, prefix, timeoutMs, waitReplicas, client };
}

function hasOtherDatabase(url: string, database: number | undefined): boolean {
  const path = new URL(url).pathname.slice(1);
  return path !== "" && database !== undefined && Number(path) !== database;
}

/** Checks the TLS settings. The library does so too, but its error contains the URL, which may hold a password. */
function checkTls(location: RedisLocation, { socket }: RedisSettings["client"]): void {
  if (location.kind === "client") return;
  const urls = location.kind === "url" ? [location.url] : location.urls;
  const tlsSettings = urls.map((url) => new URL(url).protocol === "rediss:");
  if (socket !== undefined && "tls" in socket && socket.tls !== undefined) tlsSettings.push(socket.tls);
  if (new Set(tlsSettings).size > 1)
    throw new TypeError(
      "redis: TLS must be on for all nodes or for none. Use rediss:// in each URL, or redis:// without `tls: true`.",
    );
}

function findLocation(given: RedisClient | string | readonly string[] | undefined): RedisLocation {
  if (given === undefined || given === "")
    throw new TypeError(
      "redis: the URL of Redis is missing. Pass it as an argument, or set TENON_REDIS_URL.",
    );
  if (typeof given === "string") return { kind: "url", url: validateUrl(given) };
  if (Array.isArray(given)) {
    if (given.length === 0) throw new TypeError("redis: `cluster` must contain at least one URL.");
    const urls = given.map(validateUrl);
    if (urls.some((url) => /^\/0*[1-9]/.test(new URL(url).pathname)))
      throw new TypeError(
        "redis: a cluster has only database 0, so the URLs in `cluster` cannot have another number.",
      );
    return { kind: "cluster", urls };
  }
  if (isRedisClient(given)) return { kind: "client", client: given };
  throw new TypeError(
    "redis: this is not a client of `@redis/client` (createClient, createClientPool, or createCluster).",
  );
}

/** Validates a URL. Errors do not contain it, since it may hold a password. */
function validateUrl(url: string): string {
  if (typeof url !== "string" || !/^rediss?:$/.test(parseUrl(url)?.protocol ?? ""))
    throw new TypeError("redis: the URL of Redis must begin with redis:// or rediss://.");
  const { pathname, search, hash } = new URL(url);
  if (!/^\/?\d*$/.test(pathname))
    throw new TypeError("redis: the path of the URL of Redis must be a database number, or empty.");
  if (search !== "" || hash !== "")
    throw new TypeError(
      "redis: the URL of Redis cannot have a query or fragment. Its path is the database, and `client` has further options.",
    );
  return url;
}

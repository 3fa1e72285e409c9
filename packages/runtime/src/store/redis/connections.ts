import type { RedisClientOptions } from "@redis/client";
import { type ClusterClient, isCluster, isPool, type RedisClient, type SingleClient } from "./client.js";
import { type ClientLibrary, loadClient } from "./load-client.js";
import type { RedisSettings } from "./options.js";
import { type ConnectionSource, Reconnecting } from "./reconnecting.js";
import { within } from "./within.js";

/** How commands reach Redis. */
export interface CommandConnection<Client extends RedisClient = RedisClient> {
  /** Begins to connect. */
  start(): void;
  current(): Promise<Client>;
  /** Makes another connection in place of this one, where it is the store's own. */
  replace(client: RedisClient, reason: Error): void;
  close(): void;
  /** A further connection, of which the store is the only user. */
  another(): Promise<SingleClient>;
  /** Of which database; topics are of no database. */
  readonly database: number;
}

/** Connections to where Redis is: the store's own, or a client of the author's. */
export function connectionTo(settings: RedisSettings): CommandConnection {
  const { place } = settings;
  if (place.kind === "client") return given(place.client, settings.timeoutMs);
  return place.kind === "url" ? toOne(place.url, settings) : toCluster(place.urls, settings);
}

/** Connections that are made by the store are made again by it, too: the library's own way of that is not used. */
const ONCE = { reconnectStrategy: false } as const;

const FOREVER = new Promise<never>(() => {});

function toOne(url: string, { timeoutMs, client: options }: RedisSettings): CommandConnection {
  const connect = async (): Promise<SingleClient> => {
    const { createClient } = await loadClient();
    const client = createClient({
      ...options,
      url,
      // What is given here is written to.
      socket: { connectTimeout: timeoutMs, ...options.socket, ...ONCE } as never,
      disableOfflineQueue: true,
      maintNotifications: "disabled",
    });
    return connected(client as unknown as SingleClient, timeoutMs);
  };
  const line = new Reconnecting(sourceOf(connect), timeoutMs);
  const path = new URL(url).pathname.slice(1);
  return {
    start: () => line.start(),
    current: () => line.current(),
    replace: (client, reason) => line.replace(client as SingleClient, reason),
    close: () => line.close(),
    another: connect,
    database: path === "" ? (options.database ?? 0) : Number(path),
  };
}

/** One connection by which nothing else is done when it is lost than to make another. */
export function sourceOf(connect: () => Promise<SingleClient>): ConnectionSource<SingleClient> {
  return {
    connect,
    lost: (client) =>
      new Promise((resolve) => {
        client.on("terminated", resolve);
        if (!client.isOpen) resolve(new Error("The connection was closed."));
      }),
    ping: (client) => client.sendCommand(["PING"], { timeout: 0, typeMapping: {} }),
    close: (client) => client.destroy(),
  };
}

function toCluster(
  urls: readonly string[],
  { timeoutMs, client: options }: RedisSettings,
): CommandConnection {
  const connect = async (): Promise<ClusterClient> => {
    const cluster = createCluster(await loadClient(), urls, options, timeoutMs);
    return connected(cluster, timeoutMs);
  };
  const line = new Reconnecting<ClusterClient>(
    {
      connect,
      // Its nodes come and go, and it finds the others by itself.
      lost: () => FOREVER,
      ping: () => Promise.resolve(),
      close: (cluster) => cluster.destroy(),
    },
    timeoutMs,
  );
  return {
    start: () => line.start(),
    current: () => line.current(),
    replace: () => {},
    close: () => line.close(),
    another: async () => anotherTo(await line.current(), timeoutMs),
    database: 0,
  };
}

function createCluster(
  library: ClientLibrary,
  urls: readonly string[],
  options: Omit<RedisClientOptions, "url">,
  timeoutMs: number,
): ClusterClient {
  const { username, password, protocol } = new URL(urls[0] ?? "");
  const cluster = library.createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: {
      ...(username !== "" && { username: decodeURIComponent(username) }),
      ...(password !== "" && { password: decodeURIComponent(password) }),
      ...options,
      socket: {
        connectTimeout: timeoutMs,
        // A node that does not answer is lost, though its machine holds the connection.
        socketTimeout: 3 * timeoutMs,
        ...(protocol === "rediss:" && { tls: true }),
        ...options.socket,
        reconnectStrategy: (retries: number) =>
          Math.min(5000, 100 * 2 ** retries) * (0.5 + Math.random() / 2),
      } as never,
      pingInterval: timeoutMs,
      disableOfflineQueue: true,
      maintNotifications: "disabled",
    },
    topologyRefreshOnReconnectionAttemptStrategy: 1000,
  });
  return cluster as unknown as ClusterClient;
}

/** One that is connected already stays its owner's; one that is not is opened here, and closed. */
function given(client: RedisClient, timeoutMs: number): CommandConnection {
  let isOwn = false;
  const ignore = (): void => {};
  const open = async (): Promise<void> => {
    if (client.isOpen) return;
    isOwn = true;
    await within(timeoutMs, client.connect(), "Redis cannot be reached");
  };
  let opening: Promise<void> | undefined;
  const start = (): Promise<void> => {
    // An error that nobody listens for would end the process.
    if (opening === undefined) client.on("error", ignore);
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    start: () => void start().catch(ignore),
    current: async () => {
      await start();
      return client;
    },
    replace: ignore,
    close: () => {
      client.off("error", ignore);
      if (isOwn) client.destroy();
      isOwn = false;
      opening = undefined;
    },
    another: async () => {
      await start();
      return anotherTo(client, timeoutMs);
    },
    get database() {
      const { options } = client as Partial<SingleClient>;
      return options?.database ?? 0;
    },
  };
}

/** A connection made as those of a client are; of a cluster, to one of its nodes, whichever. */
async function anotherTo(client: RedisClient, timeoutMs: number): Promise<SingleClient> {
  if (isCluster(client)) {
    const { masters } = client;
    const node = masters[Math.floor(Math.random() * masters.length)];
    const nodeClient = await within(timeoutMs, client.nodeClient(node as never), "a node does not answer");
    return connected(duplicateOf(nodeClient as SingleClient), timeoutMs);
  }
  if (!isPool(client)) return connected(duplicateOf(client), timeoutMs);
  const made = client.execute(duplicateOf) as Promise<SingleClient>;
  return connected(await within(timeoutMs, made, "no client of the pool is free"), timeoutMs);
}

function duplicateOf(client: SingleClient): SingleClient {
  const socket = { ...client.options?.socket, ...ONCE };
  return client.duplicate({
    socket,
    disableOfflineQueue: true,
    commandsQueueMaxLength: undefined,
  }) as SingleClient;
}

/** Connects in time, or lets go. */
async function connected<Client extends RedisClient>(client: Client, timeoutMs: number): Promise<Client> {
  // Who waits for a command, or for the connection, is told; nobody else listens.
  client.on("error", () => {});
  try {
    await within(timeoutMs, client.connect(), "it does not answer");
    return client;
  } catch (error) {
    client.destroy();
    throw error;
  }
}

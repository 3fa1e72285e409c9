import type { RedisClientOptions } from "@redis/client";
import { type ClusterClient, isCluster, isPool, type RedisClient, type SingleClient } from "./client.js";
import { type ClientLibrary, loadClient } from "./load-client.js";
import type { RedisSettings } from "./options.js";
import { type ConnectionSource, ReconnectingConnection } from "./reconnecting-connection.js";
import { getRetryDelayMs } from "../../store/retry.js";
import { waitForResult } from "../../transports/with-timeout.js";

/** A connection that carries commands to Redis. */
export interface CommandConnection<Client extends RedisClient = RedisClient> {
  /** Begins to connect. */
  start(): void;
  waitForClient(): Promise<Client>;
  /** Replaces this connection, if the store owns it. */
  replace(client: RedisClient, reason: Error): void;
  close(): void;
  /** Opens another connection, which only the store uses. */
  openAnother(): Promise<SingleClient>;
  /** The number of the database, since Redis shares topics among all databases. */
  readonly database: number;
}

/** Creates the connection: the store's own, or one that uses the author's client. */
export function createConnection(settings: RedisSettings): CommandConnection {
  const { location } = settings;
  if (location.kind === "client") return wrapClient(location.client, settings.timeoutMs);
  return location.kind === "url"
    ? createServerConnection(location.url, settings)
    : createClusterConnection(location.urls, settings);
}

/** The store restores its connections itself, instead of the library. */
const NO_RECONNECT = { reconnectStrategy: false } as const;

const NEVER = new Promise<never>(() => {});

function createServerConnection(
  url: string,
  { timeoutMs, client: options }: RedisSettings,
): CommandConnection {
  const connect = async (): Promise<SingleClient> => {
    const { createClient } = await loadClient();
    const client = createClient({
      ...options,
      url,
      // The library modifies this object.
      socket: { connectTimeout: timeoutMs, ...options.socket, ...NO_RECONNECT } as never,
      disableOfflineQueue: true,
      maintNotifications: "disabled",
    });
    return connectClient(client as unknown as SingleClient, timeoutMs);
  };
  const reconnecting = new ReconnectingConnection(createSource(connect), timeoutMs);
  const path = new URL(url).pathname.slice(1);
  return {
    start: () => reconnecting.start(),
    waitForClient: () => reconnecting.waitForClient(),
    replace: (client, reason) => reconnecting.replace(client as SingleClient, reason),
    close: () => reconnecting.close(),
    openAnother: connect,
    database: path === "" ? (options.database ?? 0) : Number(path),
  };
}

/** Creates the source of a single connection. A lost connection is replaced, never reopened. */
export function createSource(connect: () => Promise<SingleClient>): ConnectionSource<SingleClient> {
  return {
    connect,
    waitForLoss: (client) =>
      new Promise((resolve) => {
        client.on("terminated", resolve);
        if (!client.isOpen) resolve(new Error("The connection was closed."));
      }),
    ping: (client) => client.sendCommand(["PING"], { timeout: 0, typeMapping: {} }),
    close: (client) => client.destroy(),
  };
}

function createClusterConnection(
  urls: readonly string[],
  { timeoutMs, client: options }: RedisSettings,
): CommandConnection {
  const connect = async (): Promise<ClusterClient> => {
    const cluster = createCluster(await loadClient(), urls, options, timeoutMs);
    return connectClient(cluster, timeoutMs);
  };
  const reconnecting = new ReconnectingConnection<ClusterClient>(
    {
      connect,
      // Nodes come and go, and the library finds the others itself.
      waitForLoss: () => NEVER,
      ping: () => Promise.resolve(),
      close: (cluster) => cluster.destroy(),
    },
    timeoutMs,
  );
  return {
    start: () => reconnecting.start(),
    waitForClient: () => reconnecting.waitForClient(),
    replace: () => {},
    close: () => reconnecting.close(),
    openAnother: async () => openAnotherTo(await reconnecting.waitForClient(), timeoutMs),
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
        // A node that does not respond is lost, even if its machine keeps the connection open.
        socketTimeout: 3 * timeoutMs,
        ...(protocol === "rediss:" && { tls: true }),
        ...options.socket,
        reconnectStrategy: (retries: number) => getRetryDelayMs(retries + 1),
      } as never,
      pingInterval: timeoutMs,
      disableOfflineQueue: true,
      maintNotifications: "disabled",
    },
    topologyRefreshOnReconnectionAttemptStrategy: 1000,
  });
  return cluster as unknown as ClusterClient;
}

/** The number of stores that use a client which one of them opened. Every built server has its own copy of this module. */
const USERS = Symbol.for("tenon.redis.users");

/**
 * Uses a client of the author. If it is already connected, its owner closes it; otherwise the first store opens it, and
 * the last one closes it.
 */
function wrapClient(client: RedisClient & { [USERS]?: number }, timeoutMs: number): CommandConnection {
  let isOwn = false;
  const ignore = (): void => {};
  const open = async (): Promise<void> => {
    const { isOpen, [USERS]: users = 0 } = client;
    if (!isOwn && (!isOpen || users > 0)) {
      isOwn = true;
      client[USERS] = users + 1;
    }
    if (isOpen) return;
    await waitForResult(timeoutMs, client.connect(), "Redis is unreachable");
  };
  let opening: Promise<void> | undefined;
  const start = (): Promise<void> => {
    // An `error` event without a listener would end the process.
    if (opening === undefined) client.on("error", ignore);
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    start: () => void start().catch(ignore),
    waitForClient: async () => {
      await start();
      return client;
    },
    replace: ignore,
    close: () => {
      client.off("error", ignore);
      if (isOwn) {
        client[USERS] = (client[USERS] ?? 1) - 1;
        if (client[USERS] === 0) client.destroy();
      }
      isOwn = false;
      opening = undefined;
    },
    openAnother: async () => {
      await start();
      return openAnotherTo(client, timeoutMs);
    },
    get database() {
      const { options } = client as Partial<SingleClient>;
      return options?.database ?? 0;
    },
  };
}

/** Opens a connection with the settings of a client; for a cluster, to a random node. */
async function openAnotherTo(client: RedisClient, timeoutMs: number): Promise<SingleClient> {
  if (isCluster(client)) {
    const { masters } = client;
    const node = masters[Math.floor(Math.random() * masters.length)];
    const nodeClient = await waitForResult(
      timeoutMs,
      client.nodeClient(node as never),
      "a node does not respond",
    );
    return connectClient(duplicate(nodeClient as SingleClient), timeoutMs);
  }
  if (!isPool(client)) return connectClient(duplicate(client), timeoutMs);
  const pooled = client.execute(duplicate) as Promise<SingleClient>;
  return connectClient(await waitForResult(timeoutMs, pooled, "no client of the pool is free"), timeoutMs);
}

function duplicate(client: SingleClient): SingleClient {
  const socket = { ...client.options?.socket, ...NO_RECONNECT };
  return client.duplicate({
    socket,
    disableOfflineQueue: true,
    commandsQueueMaxLength: undefined,
  }) as SingleClient;
}

/** Connects a client, or destroys it if that fails or takes too long. */
async function connectClient<Client extends RedisClient>(client: Client, timeoutMs: number): Promise<Client> {
  // Callers that wait for a command or the connection receive the error, so the event is ignored.
  client.on("error", () => {});
  try {
    await waitForResult(timeoutMs, client.connect(), "it does not respond");
    return client;
  } catch (error) {
    client.destroy();
    throw error;
  }
}

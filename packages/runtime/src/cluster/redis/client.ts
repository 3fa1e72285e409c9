/**
 * The part of `@redis/client` that the store uses. It is declared here structurally, so that any client that the author
 * creates is accepted, regardless of its modules, scripts, and types.
 * @module
 */

interface Emitter {
  on(event: string, listener: (error: Error) => void): unknown;
  off(event: string, listener: (error: Error) => void): unknown;
}

interface Connectable extends Emitter {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  close(): Promise<void>;
  destroy(): void;
}

export interface CommandOptions {
  /** The maximum time that a command waits to be sent, in milliseconds. */
  readonly timeout: number;
  /**
   * The mapping from replies to values. `{}` returns strings, numbers, and lists, regardless of the client's
   * configuration.
   */
  readonly typeMapping: Record<never, never>;
}

/** A client from `createClient`. */
export interface SingleClient extends Connectable {
  readonly options?: { readonly database?: number | undefined; readonly socket?: object | undefined };
  sendCommand(args: string[], options: CommandOptions): Promise<unknown>;
  duplicate(overrides?: object): unknown;
  subscribe(topics: string[], listener: (message: string, topic: string) => void): Promise<void>;
  unsubscribe(topics: string[], listener: (message: string, topic: string) => void): Promise<void>;
}

/** A client from `createClientPool`. */
export interface ClientPool extends Connectable {
  sendCommand(args: string[], options: CommandOptions): Promise<unknown>;
  execute(task: (client: SingleClient) => unknown): Promise<unknown>;
}

/** A client from `createCluster`. */
export interface ClusterClient extends Connectable {
  readonly masters: readonly object[];
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
    options: CommandOptions,
  ): Promise<unknown>;
  nodeClient(node: never): Promise<unknown>;
  getNodeClientForKey(key: string): Promise<unknown>;
}

/** A client of `@redis/client`, from any of these functions. */
export type RedisClient = SingleClient | ClientPool | ClusterClient;

/** Returns whether a client was created by `createCluster`. */
export function isCluster(client: RedisClient): client is ClusterClient {
  return "masters" in client && "getNodeClientForKey" in client;
}

/** Returns whether a client was created by `createClientPool`. */
export function isPool(client: RedisClient): client is ClientPool {
  return "execute" in client && "sendCommand" in client;
}

/**
 * Returns whether a value is one of these clients. A client of `createSentinel` is not: it does not report when the
 * connection of its subscriptions is lost.
 */
export function isRedisClient(value: unknown): value is RedisClient {
  if (typeof value !== "object" || value === null) return false;
  const client = value as RedisClient;
  if ("getMasterNode" in client) return false;
  return isCluster(client) || isPool(client) || ("sendCommand" in client && "duplicate" in client);
}

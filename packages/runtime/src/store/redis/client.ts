/**
 * What the store needs of `@redis/client`. Written down by its form, so that a client of the author's fits whatever
 * modules, scripts and types it was made with.
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
  /** How long a command waits to be sent, in milliseconds. */
  readonly timeout: number;
  /** How answers are made values: `{}` for texts, numbers and lists, whatever the client was configured for. */
  readonly typeMapping: Record<never, never>;
}

/** What `createClient` makes. */
export interface SingleClient extends Connectable {
  readonly options?: { readonly database?: number | undefined; readonly socket?: object | undefined };
  sendCommand(args: string[], options: CommandOptions): Promise<unknown>;
  duplicate(overrides?: object): unknown;
  subscribe(topics: string[], listener: (message: string, topic: string) => void): Promise<void>;
  unsubscribe(topics: string[], listener: (message: string, topic: string) => void): Promise<void>;
}

/** What `createClientPool` makes. */
export interface ClientPool extends Connectable {
  sendCommand(args: string[], options: CommandOptions): Promise<unknown>;
  execute(task: (client: SingleClient) => unknown): Promise<unknown>;
}

/** What `createCluster` makes. */
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

/** A client of `@redis/client`, whichever of its functions made it. */
export type RedisClient = SingleClient | ClientPool | ClusterClient;

export function isCluster(client: RedisClient): client is ClusterClient {
  return "masters" in client && "getNodeClientForKey" in client;
}

export function isPool(client: RedisClient): client is ClientPool {
  return "execute" in client && "sendCommand" in client;
}

/**
 * False for what is none of these, such as one of another library. Nor is one of `createSentinel`: it does not say when
 * the connection of its subscriptions was lost.
 */
export function isRedisClient(value: unknown): value is RedisClient {
  if (typeof value !== "object" || value === null) return false;
  const client = value as RedisClient;
  if ("getMasterNode" in client) return false;
  return isCluster(client) || isPool(client) || ("sendCommand" in client && "duplicate" in client);
}

/**
 * The store that workers share, in the primary process. That process loads this module by the URL in a worker's
 * message, and does not load the author's code that imports it.
 * @module
 */
import type { Lease, Store } from "../../api/store.js";
import { memoryStore } from "../../store/memory-store.js";
import type { ServedWorker, StoreHost, StoreReply, StoreRequest } from "./messages.js";

export const moduleUrl = import.meta.url;

/** Creates the store that all workers of a machine share, in the process that starts them. */
export function createStoreHost(store: Store = memoryStore()): StoreHost {
  return { serve: (reply) => new HostedWorker(store, reply) };
}

class HostedWorker implements ServedWorker {
  readonly #store: Store;
  readonly #reply: (reply: StoreReply) => void;
  /** Leases by the ID of the request that created them. */
  readonly #leases = new Map<number, Lease>();
  readonly #subscriptions = new Map<number, () => Promise<void>>();
  readonly #reads = new Map<number, AbortController>();
  #isClosed = false;

  constructor(store: Store, reply: (reply: StoreReply) => void) {
    this.#store = store;
    this.#reply = reply;
  }

  handle(request: StoreRequest): void {
    const { id } = request;
    this.#execute(request).then(
      (result) => this.#reply({ id, result }),
      (error: unknown) => this.#reply({ id, error: String(error) }),
    );
  }

  close(): void {
    this.#isClosed = true;
    for (const read of this.#reads.values()) read.abort();
    for (const unsubscribe of this.#subscriptions.values()) void unsubscribe();
    // The holder has ended, so others do not have to wait until the leases expire.
    for (const lease of this.#leases.values()) void lease.release();
    this.#subscriptions.clear();
    this.#leases.clear();
  }

  async #execute({ id, method, args }: StoreRequest): Promise<unknown> {
    const [first] = args as [number];
    switch (method) {
      case "read":
        return await this.#read(id, args as Parameters<Store["read"]>);
      case "abort":
        return this.#reads.get(first)?.abort();
      case "subscribe":
        return await this.#subscribe(id, args as [string[]]);
      case "unsubscribe":
        await this.#subscriptions.get(first)?.();
        this.#subscriptions.delete(first);
        return undefined;
      case "lease":
        return await this.#lease(id, args as Parameters<Store["lease"]>);
      case "renew":
        return (await this.#leases.get(first)?.renew()) ?? false;
      case "release":
        await this.#leases.get(first)?.release();
        this.#leases.delete(first);
        return undefined;
      case "close":
        return this.close();
      default:
        return await (this.#store[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args);
    }
  }

  async #read(id: number, [stream, after, options]: Parameters<Store["read"]>): Promise<unknown> {
    const abort = new AbortController();
    this.#reads.set(id, abort);
    try {
      return await this.#store.read(stream, after, { ...options, signal: abort.signal });
    } finally {
      this.#reads.delete(id);
    }
  }

  async #subscribe(id: number, [topics]: [string[]]): Promise<void> {
    const unsubscribe = await this.#store.subscribe(
      topics,
      (message, topic) => this.#reply({ id, topic, message }),
      // A store in the same process is never unreachable.
      () => {},
    );
    if (this.#isClosed) return await unsubscribe();
    this.#subscriptions.set(id, unsubscribe);
  }

  async #lease(id: number, args: Parameters<Store["lease"]>): Promise<number | undefined> {
    const lease = await this.#store.lease(...args);
    if (this.#isClosed) await lease?.release();
    else if (lease !== undefined) this.#leases.set(id, lease);
    return lease?.fencingToken;
  }
}

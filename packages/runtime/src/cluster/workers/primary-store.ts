import type {
  AppendOptions,
  RateWindow,
  Lease,
  ReadOptions,
  SetOptions,
  Store,
  StoredValue,
  StreamPart,
  LimitExceeded,
} from "../../api/store.js";
import type { StoreMethod, StoreReply, StoreRequest } from "./messages.js";

/** The timeout of a response, in addition to the time for which the store may wait, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 5000;

/** The connection to the primary process. */
export interface PrimaryChannel {
  send(request: StoreRequest): void;
  onReply(listener: (reply: StoreReply) => void): void;
}

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** The store in the primary process, for a worker. */
export class PrimaryStore implements Store {
  readonly #channel: PrimaryChannel;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #subscriptions = new Map<number, (message: string, topic: string) => void>();
  #lastId = 0;

  constructor(channel: PrimaryChannel) {
    this.#channel = channel;
    channel.onReply((reply) => this.#receive(reply));
  }

  get(key: string): Promise<StoredValue | undefined> {
    return this.#request("get", [key]);
  }

  set(key: string, value: string, options: SetOptions): Promise<string | undefined> {
    return this.#request("set", [key, value, options]);
  }

  delete(key: string, options: { readonly ifVersion?: string } = {}): Promise<boolean> {
    return this.#request("delete", [key, options]);
  }

  append(stream: string, values: readonly string[], options: AppendOptions): Promise<string[]> {
    return this.#request("append", [stream, values, options]);
  }

  async read(stream: string, after: string, options: ReadOptions = {}): Promise<StreamPart> {
    const { signal, ...rest } = options;
    const id = this.#nextId();
    const abort = (): void => void this.#request("abort", [id]);
    const part = this.#request<StreamPart>("read", [stream, after, rest], { id, waitMs: rest.waitMs });
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort);
    try {
      return await part;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  publish(topic: string, message: string): Promise<void> {
    return this.#request("publish", [topic, message]);
  }

  async subscribe(
    topics: readonly string[],
    onMessage: (message: string, topic: string) => void,
  ): Promise<() => Promise<void>> {
    const id = this.#nextId();
    this.#subscriptions.set(id, onMessage);
    try {
      await this.#request("subscribe", [topics], { id });
    } catch (error) {
      this.#subscriptions.delete(id);
      throw error;
    }
    return async () => {
      if (this.#subscriptions.delete(id)) await this.#request("unsubscribe", [id]);
    };
  }

  consume(uses: readonly RateWindow[]): Promise<LimitExceeded | undefined> {
    return this.#request("consume", [uses]);
  }

  async lease(key: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const id = this.#nextId();
    const token = await this.#request<number | undefined>("lease", [key, holder, ttlMs], { id });
    if (token === undefined) return undefined;
    return {
      fencingToken: token,
      renew: () => this.#request("renew", [id]),
      release: () => this.#request("release", [id]),
    };
  }

  async close(): Promise<void> {
    this.#subscriptions.clear();
    await this.#request("close", []);
  }

  #nextId(): number {
    return ++this.#lastId;
  }

  /**
   * @param id identifies the request in later ones
   * @param waitMs the maximum time for which the store itself waits, in milliseconds
   */
  #request<Result>(
    method: StoreMethod,
    args: readonly unknown[],
    { id = this.#nextId(), waitMs = 0 }: { id?: number; waitMs?: number | undefined } = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new Error("The primary process does not respond."));
      }, waitMs + RESPONSE_TIMEOUT_MS);
      timer.unref();
      this.#pending.set(id, { resolve: (result) => resolve(result as Result), reject, timer });
      this.#channel.send({ id, method, args });
    });
  }

  #receive(reply: StoreReply): void {
    if ("topic" in reply) return this.#subscriptions.get(reply.id)?.(reply.message, reply.topic);
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    clearTimeout(pending.timer);
    if ("error" in reply) pending.reject(new Error(reply.error));
    else pending.resolve(reply.result);
  }
}

import type {
  AppendOptions,
  CountedUse,
  Lease,
  ReadOptions,
  SetOptions,
  Store,
  StoredValue,
  StreamPart,
  UsedUp,
} from "../api/store.js";
import type { StoreMethod, StoreReply, StoreRequest } from "./messages.js";

/** An answer that takes longer, beyond what it may wait for, does not come. */
const ANSWER_WITHIN_MS = 5000;

/** The way to the first process. */
export interface PrimaryChannel {
  send(request: StoreRequest): void;
  onReply(listener: (reply: StoreReply) => void): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** The store in the first process, as a worker has it. */
export class PrimaryStore implements Store {
  readonly #channel: PrimaryChannel;
  readonly #waiting = new Map<number, Waiting>();
  readonly #subscriptions = new Map<number, (message: string, topic: string) => void>();
  #lastId = 0;

  constructor(channel: PrimaryChannel) {
    this.#channel = channel;
    channel.onReply((reply) => this.#take(reply));
  }

  get(key: string): Promise<StoredValue | undefined> {
    return this.#ask("get", [key]);
  }

  set(key: string, value: string, options: SetOptions): Promise<string | undefined> {
    return this.#ask("set", [key, value, options]);
  }

  delete(key: string, options: { readonly ifVersion?: string } = {}): Promise<boolean> {
    return this.#ask("delete", [key, options]);
  }

  append(stream: string, values: readonly string[], options: AppendOptions): Promise<string[]> {
    return this.#ask("append", [stream, values, options]);
  }

  async read(stream: string, after: string, options: ReadOptions = {}): Promise<StreamPart> {
    const { signal, ...rest } = options;
    const id = this.#nextId();
    const abort = (): void => void this.#ask("abort", [id]);
    const answer = this.#ask<StreamPart>("read", [stream, after, rest], { id, waitMs: rest.waitMs });
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort);
    try {
      return await answer;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  publish(topic: string, message: string): Promise<void> {
    return this.#ask("publish", [topic, message]);
  }

  async subscribe(
    topics: readonly string[],
    onMessage: (message: string, topic: string) => void,
  ): Promise<() => Promise<void>> {
    const id = this.#nextId();
    this.#subscriptions.set(id, onMessage);
    try {
      await this.#ask("subscribe", [topics], { id });
    } catch (error) {
      this.#subscriptions.delete(id);
      throw error;
    }
    return async () => {
      if (this.#subscriptions.delete(id)) await this.#ask("unsubscribe", [id]);
    };
  }

  take(uses: readonly CountedUse[]): Promise<UsedUp | undefined> {
    return this.#ask("take", [uses]);
  }

  async lease(key: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const id = this.#nextId();
    const fence = await this.#ask<number | undefined>("lease", [key, holder, ttlMs], { id });
    if (fence === undefined) return undefined;
    return { fence, renew: () => this.#ask("renew", [id]), release: () => this.#ask("release", [id]) };
  }

  async close(): Promise<void> {
    this.#subscriptions.clear();
    await this.#ask("close", []);
  }

  #nextId(): number {
    return ++this.#lastId;
  }

  /** @param id what later requests call it by; @param waitMs how long the store itself may wait */
  #ask<Result>(
    method: StoreMethod,
    args: readonly unknown[],
    { id = this.#nextId(), waitMs = 0 }: { id?: number; waitMs?: number | undefined } = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error("The first of the server's processes does not answer."));
      }, waitMs + ANSWER_WITHIN_MS);
      timer.unref();
      this.#waiting.set(id, { resolve: (result) => resolve(result as Result), reject, timer });
      this.#channel.send({ id, method, args });
    });
  }

  #take(reply: StoreReply): void {
    if ("topic" in reply) return this.#subscriptions.get(reply.id)?.(reply.message, reply.topic);
    const waiting = this.#waiting.get(reply.id);
    if (waiting === undefined) return;
    this.#waiting.delete(reply.id);
    clearTimeout(waiting.timer);
    if ("error" in reply) waiting.reject(new Error(reply.error));
    else waiting.resolve(reply.result);
  }
}

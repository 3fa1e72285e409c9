import { ProtocolError } from "../api/errors.js";
import type { LogSink } from "../api/log.js";
import type { Store } from "../api/store.js";
import { durationText } from "../middleware/duration-text.js";
import * as ErrorCode from "../protocol/error-codes.js";

const RETRY_AFTER_SECONDS = 1;

/** What failed so long ago is over as soon as anything succeeds, be it asked again or not. */
const FORGOTTEN_MS = 10_000;

/**
 * A store of which clients are told, in place of its own errors, that it cannot be asked now: over HTTP with 503 and
 * `Retry-After`. The log has the first error, and that it is over: once, however many calls that concerns.
 */
export function guardedStore(store: Store, log: LogSink): Store {
  const trouble = new Trouble(log);

  const guarded =
    <Args extends unknown[], Result>(name: keyof Store, method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        const result = await method.apply(store, args);
        trouble.reached(name);
        return result;
      } catch (error) {
        trouble.missed(name, error);
        throw unreachable();
      }
    };

  return {
    get: guarded("get", store.get),
    set: guarded("set", store.set),
    delete: guarded("delete", store.delete),
    append: guarded("append", store.append),
    read: guarded("read", store.read),
    publish: guarded("publish", store.publish),
    subscribe: guarded("subscribe", store.subscribe),
    take: guarded("take", store.take),
    lease: async (key, holder, ttlMs) => {
      const lease = await guarded("lease", store.lease)(key, holder, ttlMs);
      if (lease === undefined) return undefined;
      const { fence } = lease;
      return {
        fence,
        renew: guarded("lease", () => lease.renew()),
        release: guarded("lease", () => lease.release()),
      };
    },
    close: guarded("close", store.close),
  };
}

/** What the log is told of a store, from the first failure on until all goes well again. */
class Trouble {
  readonly #log: LogSink;
  /** What has failed: a store that is full is read, and cannot be written to. */
  readonly #failing = new Set<keyof Store>();
  #beganAt = 0;
  #lastAt = 0;

  constructor(log: LogSink) {
    this.#log = log;
  }

  reached(name: keyof Store): void {
    if (this.#failing.size === 0) return;
    this.#failing.delete(name);
    const now = performance.now();
    if (now - this.#lastAt > FORGOTTEN_MS) this.#failing.clear();
    if (this.#failing.size > 0) return;
    const seconds = Math.max(1, Math.round((now - this.#beganAt) / 1000));
    const msg = `The store can be asked again, after ${durationText(seconds * 1000)}`;
    this.#log({ level: "info", event: "store-reached", msg });
  }

  missed(name: keyof Store, error: unknown): void {
    this.#lastAt = performance.now();
    if (this.#failing.size === 0) {
      this.#beganAt = this.#lastAt;
      this.#log({
        level: "error",
        event: "store-missed",
        msg: `The store cannot be asked: ${wordsOf(error)}`,
      });
    }
    this.#failing.add(name);
  }
}

/** What clients are told while the store cannot be asked. */
export function unreachable(): ProtocolError {
  const message = "The server cannot reach what it shares with its other processes. Try again in a moment.";
  const headers = { "retry-after": String(RETRY_AFTER_SECONDS) };
  return new ProtocolError(ErrorCode.InternalError, message, undefined, 503, headers);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

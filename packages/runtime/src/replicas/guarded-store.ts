import { ProtocolError } from "../api/errors.js";
import type { LogSink } from "../api/log.js";
import type { Store } from "../api/store.js";
import { durationText } from "../explain/duration-text.js";
import * as ErrorCode from "../protocol/error-codes.js";

const RETRY_AFTER_SECONDS = 1;

/** It is over when nothing has failed for so long: a store that is full is read all the time, and takes nothing. */
const CALM_MS = 5000;

/**
 * A store of which clients are told, in place of its own errors, that it cannot be asked now: over HTTP with 503 and
 * `Retry-After`. The log has the first error, and that it is over: once, however many calls that concerns.
 */
export function guardedStore(store: Store, log: LogSink): Store {
  const trouble = new Trouble(log);

  const guarded =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        const result = await method.apply(store, args);
        trouble.reached();
        return result;
      } catch (error) {
        trouble.missed(error);
        throw unreachable();
      }
    };

  return {
    get: guarded(store.get),
    set: guarded(store.set),
    delete: guarded(store.delete),
    append: guarded(store.append),
    read: guarded(store.read),
    publish: guarded(store.publish),
    subscribe: guarded(store.subscribe),
    take: guarded(store.take),
    lease: async (key, holder, ttlMs) => {
      const lease = await guarded(store.lease)(key, holder, ttlMs);
      if (lease === undefined) return undefined;
      const { fence } = lease;
      return { fence, renew: guarded(() => lease.renew()), release: guarded(() => lease.release()) };
    },
    close: guarded(store.close),
  };
}

/** What the log is told of a store, from the first failure on until all goes well again. */
class Trouble {
  readonly #log: LogSink;
  #beganAt: number | undefined;
  #lastAt = 0;

  constructor(log: LogSink) {
    this.#log = log;
  }

  reached(): void {
    if (this.#beganAt === undefined || performance.now() - this.#lastAt < CALM_MS) return;
    const seconds = Math.max(1, Math.round((this.#lastAt - this.#beganAt) / 1000));
    this.#beganAt = undefined;
    const msg = `The store can be asked again, after ${durationText(seconds * 1000)}`;
    this.#log({ level: "info", event: "store-reached", msg });
  }

  missed(error: unknown): void {
    this.#lastAt = performance.now();
    if (this.#beganAt !== undefined) return;
    this.#beganAt = this.#lastAt;
    this.#log({ level: "error", event: "store-missed", msg: `The store cannot be asked: ${wordsOf(error)}` });
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

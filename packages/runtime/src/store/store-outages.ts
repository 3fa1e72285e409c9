import { ProtocolError } from "../api/errors.js";
import type { LogSink } from "../api/log.js";
import type { Store } from "../api/store.js";
import { formatDuration } from "../data/explanations/format-duration.js";
import * as ErrorCode from "../protocol/error-codes.js";

const RETRY_AFTER_SECONDS = 1;

/**
 * Time without a failure after which an outage is over, in milliseconds. A store that is full can still be read, so one
 * success is not enough.
 */
const OUTAGE_END_MS = 5000;

/**
 * Wraps a store so that clients receive a neutral error instead of its own errors: over HTTP, 503 with `Retry-After`.
 * The start and the end of each outage are logged once.
 */
export function guardStore(store: Store, log: LogSink): Store {
  const outages = new OutageLog(log);

  const guarded =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        const result = await method.apply(store, args);
        outages.recordSuccess();
        return result;
      } catch (error) {
        outages.recordFailure(error);
        throw createStoreUnreachableError();
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
    consume: guarded(store.consume),
    lease: async (key, holder, ttlMs) => {
      const lease = await guarded(store.lease)(key, holder, ttlMs);
      if (lease === undefined) return undefined;
      const { fencingToken } = lease;
      return { fencingToken, renew: guarded(() => lease.renew()), release: guarded(() => lease.release()) };
    },
    close: guarded(store.close),
  };
}

/** Logs the start and the end of each outage of a store. */
class OutageLog {
  readonly #log: LogSink;
  #beganAt: number | undefined;
  #lastAt = 0;

  constructor(log: LogSink) {
    this.#log = log;
  }

  recordSuccess(): void {
    if (this.#beganAt === undefined || performance.now() - this.#lastAt < OUTAGE_END_MS) return;
    const seconds = Math.max(1, Math.round((this.#lastAt - this.#beganAt) / 1000));
    this.#beganAt = undefined;
    const msg = `The store is reachable again after ${formatDuration(seconds * 1000)}`;
    this.#log({ level: "info", event: "store-recovered", msg });
  }

  recordFailure(error: unknown): void {
    this.#lastAt = performance.now();
    if (this.#beganAt !== undefined) return;
    this.#beganAt = this.#lastAt;
    this.#log({
      level: "error",
      event: "store-unreachable",
      msg: `The store is unreachable: ${errorMessage(error)}`,
    });
  }
}

/** Creates the error that clients receive while the store is unreachable. */
export function createStoreUnreachableError(): ProtocolError {
  const message = "The server cannot reach the store that its processes share. Try again in a moment.";
  const headers = { "retry-after": String(RETRY_AFTER_SECONDS) };
  return new ProtocolError(ErrorCode.InternalError, message, undefined, 503, headers);
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { ProtocolError } from "../api/errors.js";
import type { LogSink } from "../api/log.js";
import type { Store } from "../api/store.js";
import * as ErrorCode from "../protocol/error-codes.js";

const RETRY_AFTER_SECONDS = 1;

/**
 * A store of which clients are told, in place of its own errors, that it cannot be asked now: over HTTP with 503 and
 * `Retry-After`. The log has the first error, and that it is over.
 */
export function guardedStore(store: Store, log: LogSink): Store {
  let isDown = false;

  const reached = (): void => {
    if (!isDown) return;
    isDown = false;
    log({ level: "info", event: "store-reached", msg: "The store can be asked again" });
  };

  const missed = (error: unknown): ProtocolError => {
    if (!isDown)
      log({ level: "error", event: "store-missed", msg: `The store cannot be asked: ${wordsOf(error)}` });
    isDown = true;
    return unreachable();
  };

  const guarded =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        const result = await method.apply(store, args);
        reached();
        return result;
      } catch (error) {
        throw missed(error);
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

/** What clients are told of a store that cannot be asked. */
export function unreachable(): ProtocolError {
  const message = "The server cannot reach what it shares with its other processes. Try again in a moment.";
  const headers = { "retry-after": String(RETRY_AFTER_SECONDS) };
  return new ProtocolError(ErrorCode.InternalError, message, undefined, 503, headers);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

import type { Call } from "../connection/call.js";
import { findCallerKeys } from "./rate-limit-keys.js";
import { createTooManyCallsError } from "./too-many-calls.js";

/**
 * The time after which a caller with too many calls may try again, in milliseconds. It is an estimate, because no one
 * knows when a call will end.
 */
const RETRY_AFTER_MS = 1000;

/**
 * The calls in progress of each caller, over all connections, sessions, and requests. Callers are identified as for rate
 * limits, but not by connection, since `limits.maxConcurrentRequests` bounds each connection.
 */
export class CallsInProgress {
  readonly #max: number;
  readonly #byCaller = new Map<string, number>();
  #total = 0;

  /** @param max the maximum number of calls of one caller */
  constructor(max: number) {
    this.#max = max;
  }

  /** The number of calls in progress. */
  get size(): number {
    return this.#total;
  }

  /** Returns the error for a call whose caller already has too many in progress. */
  findRejection(call: Call): Error | undefined {
    // No single caller has too many unless all callers together do.
    if (this.#total < this.#max || (this.#byCaller.get(findCallerName(call) ?? "") ?? 0) < this.#max)
      return undefined;
    return createTooManyCallsError(
      call,
      `Too many concurrent calls: ${this.#max} are allowed.`,
      RETRY_AFTER_MS,
    );
  }

  /** Counts a call until the returned function is called. */
  trackCall(call: Call): () => void {
    const name = findCallerName(call);
    if (name === undefined) return () => undefined;
    this.#change(name, 1);
    return () => this.#change(name, -1);
  }

  #change(name: string, by: number): void {
    const count = (this.#byCaller.get(name) ?? 0) + by;
    this.#total += by;
    if (count === 0) this.#byCaller.delete(name);
    else this.#byCaller.set(name, count);
  }
}

/** Returns a name for the caller; undefined for a caller that cannot be identified. */
function findCallerName(call: Call): string | undefined {
  const [caller] = findCallerKeys(call) ?? [];
  return caller && `${caller.kind} ${caller.id}`;
}

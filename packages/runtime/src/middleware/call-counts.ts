import type { RateLimit } from "../manifest.js";
import { CallWindow } from "./call-window.js";

/** Whose calls are counted together. */
export interface CountedCaller {
  readonly kind: "principal" | "connection" | "address" | "network" | "rest";
  readonly id: string;
}

/** A limit, and the name that tells it from others. */
export interface CountedLimit extends RateLimit {
  readonly name: string;
}

/** A limit that is reached, and the time after which it no longer is. */
export interface Excess {
  readonly limit: CountedLimit;
  readonly retryAfterMs: number;
}

/**
 * Counts calls. Whatever keeps the counts, no window of any limit ever holds more calls than are allowed, wherever it
 * begins. One that keeps them in this process answers at once; one that has to ask others answers with a promise.
 */
export interface CallCounts {
  /**
   * Counts a call for all of these limits or, where one of them is reached, for none.
   *
   * @param callers who calls, then those with whom it is counted where there is no room for it alone; the last is a `rest`
   * @returns the limit that takes the longest, where any is reached
   */
  take(
    callers: readonly CountedCaller[],
    limits: readonly CountedLimit[],
  ): Excess | undefined | Promise<Excess | undefined>;
}

/** How often the counts of all limits are gone through for those that are over, in milliseconds. */
const SWEEP_MS = 1000;

/** The counts of those with one window and one kind of callers, which end in the order of the latest calls. */
type Counts = Map<string, CallWindow>;

/** Where a call is counted. */
interface Place {
  readonly limit: CountedLimit;
  readonly caller: CountedCaller;
  readonly key: string;
  readonly window: CallWindow | undefined;
}

/**
 * Counts calls in the memory of this process.
 *
 * Memory is bounded by the number of callers of a kind. Nothing is forgotten before its time to make room, or whoever
 * has enough addresses would never reach a limit: when there is no more room, newcomers are counted together.
 */
export class MemoryCallCounts implements CallCounts {
  readonly #capacity: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, Counts>();
  readonly #sizes = new Map<string, number>();
  #nextSweep = 0;

  /**
   * @param capacity the most callers of one kind
   * @param now a monotonic clock, in milliseconds
   */
  constructor(capacity: number, now: () => number) {
    this.#capacity = capacity;
    this.#now = now;
  }

  /** How many counts are kept. */
  get size(): number {
    let size = 0;
    for (const counts of this.#counts.values()) size += counts.size;
    return size;
  }

  take(callers: readonly CountedCaller[], limits: readonly CountedLimit[]): Excess | undefined {
    const at = this.#now();
    const places = limits.map((limit) => this.#place(callers, limit, at));
    let excess: Excess | undefined;
    for (const { limit, window } of places) {
      const retryAfterMs = window?.wait(limit.calls, at) ?? 0;
      if (retryAfterMs > (excess?.retryAfterMs ?? 0)) excess = { limit, retryAfterMs };
    }
    if (excess === undefined) for (const place of places) this.#count(place, at);
    return excess;
  }

  #place(callers: readonly CountedCaller[], limit: CountedLimit, at: number): Place {
    for (const caller of callers) {
      const key = `${caller.kind} ${limit.windowMs} ${limit.name}`;
      const window = this.#counts.get(key)?.get(caller.id);
      const place = { limit, caller, key, window };
      if (window !== undefined || caller.kind === "rest" || this.#hasRoom(caller.kind, at)) return place;
    }
    throw new Error("There is no `rest` to count a call in.");
  }

  #count({ limit, caller, key, window = new CallWindow() }: Place, at: number): void {
    let counts = this.#counts.get(key);
    if (counts === undefined) this.#counts.set(key, (counts = new Map()));
    // The latest goes last. A few that are over go whenever one comes, so that sweeps find few.
    if (!counts.delete(caller.id)) this.#resize(caller.kind, 1);
    counts.set(caller.id, window);
    window.add(limit, at);
    this.#forget(key, counts, at, 2);
  }

  #hasRoom(kind: string, at: number): boolean {
    if ((this.#sizes.get(kind) ?? 0) < this.#capacity) return true;
    if (at < this.#nextSweep) return false;
    this.#nextSweep = at + SWEEP_MS;
    for (const [key, counts] of this.#counts) this.#forget(key, counts, at, Infinity);
    return (this.#sizes.get(kind) ?? 0) < this.#capacity;
  }

  /** Forgets counts that are over, at most so many. */
  #forget(key: string, counts: Counts, at: number, most: number): void {
    const [kind = ""] = key.split(" ", 1);
    let left = most;
    for (const [id, window] of counts) {
      if (left-- === 0 || window.end > at) break;
      counts.delete(id);
      this.#resize(kind, -1);
    }
    if (counts.size === 0) this.#counts.delete(key);
  }

  #resize(kind: string, by: number): void {
    this.#sizes.set(kind, (this.#sizes.get(kind) ?? 0) + by);
  }
}

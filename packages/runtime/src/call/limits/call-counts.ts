import type { RateLimit } from "../../manifest.js";
import { CallWindow } from "../../store/call-window.js";

/** Identifies a caller, or a group of callers, whose calls are counted together. */
export interface RateLimitKey {
  readonly kind: "principal" | "connection" | "address" | "network" | "rest";
  readonly id: string;
}

/** A limit, and the name that distinguishes it from others. */
export interface NamedLimit extends RateLimit {
  readonly name: string;
}

/** A limit that a call would exceed, and the time after which it no longer would. */
export interface ExceededLimit {
  readonly limit: NamedLimit;
  readonly retryAfterMs: number;
}

/**
 * Counts calls in sliding windows: no window of a limit contains more calls than allowed, wherever it begins. Counts in
 * memory return the result immediately; shared counts return a promise.
 */
export interface CallCounts {
  /**
   * Counts a call for all limits or, if it would exceed one, for none.
   *
   * @param callers the caller, then the groups that it is counted with if memory is full; the last is a `rest`
   * @returns the exceeded limit with the longest wait, if there is one
   */
  consume(
    callers: readonly RateLimitKey[],
    limits: readonly NamedLimit[],
  ): ExceededLimit | undefined | Promise<ExceededLimit | undefined>;
}

/** The minimum time between two sweeps of all counts for expired ones, in milliseconds. */
const MIN_SWEEP_INTERVAL_MS = 1000;

/** The counts of one limit and one kind of callers, ordered by their latest calls. They expire in that order. */
type Counts = Map<string, CallWindow>;

/** The window in which a call is counted for one limit. */
interface CountSlot {
  readonly limit: NamedLimit;
  readonly caller: RateLimitKey;
  readonly key: string;
  readonly window: CallWindow | undefined;
}

/**
 * Counts calls in the memory of this process.
 *
 * Memory is bounded by a maximum number of callers of each kind. If it is full, new callers are counted together.
 * Evicting others would let a caller with enough addresses evade every limit.
 */
export class MemoryCallCounts implements CallCounts {
  readonly #capacity: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, Counts>();
  readonly #sizes = new Map<string, number>();
  #nextSweep = 0;

  /**
   * @param capacity the maximum number of callers of one kind
   * @param now a monotonic clock, in milliseconds
   */
  constructor(capacity: number, now: () => number) {
    this.#capacity = capacity;
    this.#now = now;
  }

  /** The number of counts. */
  get size(): number {
    let size = 0;
    for (const counts of this.#counts.values()) size += counts.size;
    return size;
  }

  consume(callers: readonly RateLimitKey[], limits: readonly NamedLimit[]): ExceededLimit | undefined {
    const at = this.#now();
    const slots = limits.map((limit) => this.#findSlot(callers, limit, at));
    let exceeded: ExceededLimit | undefined;
    for (const { limit, window } of slots) {
      const retryAfterMs = window?.getWaitMs(limit.calls, at) ?? 0;
      if (retryAfterMs > (exceeded?.retryAfterMs ?? 0)) exceeded = { limit, retryAfterMs };
    }
    if (exceeded === undefined) for (const slot of slots) this.#count(slot, at);
    return exceeded;
  }

  #findSlot(callers: readonly RateLimitKey[], limit: NamedLimit, at: number): CountSlot {
    for (const caller of callers) {
      const key = `${caller.kind} ${limit.windowMs} ${limit.name}`;
      const window = this.#counts.get(key)?.get(caller.id);
      const slot = { limit, caller, key, window };
      if (window !== undefined || caller.kind === "rest" || this.#hasRoom(caller.kind, at)) return slot;
    }
    throw new Error("The callers do not end with a `rest`.");
  }

  #count({ limit, caller, key, window = new CallWindow() }: CountSlot, at: number): void {
    let counts = this.#counts.get(key);
    if (counts === undefined) this.#counts.set(key, (counts = new Map()));
    // The latest caller goes last. Each call also removes up to two expired counts, so that sweeps find few.
    if (!counts.delete(caller.id)) this.#resize(caller.kind, 1);
    counts.set(caller.id, window);
    window.add(limit, at);
    this.#forget(key, counts, at, 2);
  }

  #hasRoom(kind: string, at: number): boolean {
    if ((this.#sizes.get(kind) ?? 0) < this.#capacity) return true;
    if (at < this.#nextSweep) return false;
    this.#nextSweep = at + MIN_SWEEP_INTERVAL_MS;
    for (const [key, counts] of this.#counts) this.#forget(key, counts, at, Infinity);
    return (this.#sizes.get(kind) ?? 0) < this.#capacity;
  }

  /** Forgets expired counts, at most `max` of them. */
  #forget(key: string, counts: Counts, at: number, max: number): void {
    const [kind = ""] = key.split(" ", 1);
    let left = max;
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

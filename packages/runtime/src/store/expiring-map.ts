/** The interval between removals of expired entries, in milliseconds. */
const SWEEP_INTERVAL_MS = 10_000;

interface ExpiringEntry<Value> {
  readonly value: Value;
  readonly end: number;
}

/** A map whose entries expire. */
export class ExpiringMap<Value> {
  readonly #now: () => number;
  readonly #entries = new Map<string, ExpiringEntry<Value>>();
  #nextSweep = 0;

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.end > this.#now() ? entry.value : undefined;
  }

  set(key: string, value: Value, ttlMs: number): void {
    this.#entries.set(key, { value, end: this.#now() + ttlMs });
    if (this.#now() >= this.#nextSweep) this.#removeExpired();
  }

  /** Deletes an entry. Returns false if there was none. */
  delete(key: string): boolean {
    const exists = this.get(key) !== undefined;
    this.#entries.delete(key);
    return exists;
  }

  /** Returns the remaining lifetime of an entry, in milliseconds; 0 if there is none. */
  getRemainingMs(key: string): number {
    return Math.max(0, (this.#entries.get(key)?.end ?? 0) - this.#now());
  }

  #removeExpired(): void {
    const now = this.#now();
    this.#nextSweep = now + SWEEP_INTERVAL_MS;
    for (const [key, { end }] of this.#entries) if (end <= now) this.#entries.delete(key);
  }
}

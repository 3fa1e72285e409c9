/** How often what is over is looked for, in milliseconds. */
const SWEEP_MS = 10_000;

interface Expiring<Value> {
  readonly value: Value;
  readonly end: number;
}

/** A map whose entries are gone after a time. */
export class ExpiringMap<Value> {
  readonly #now: () => number;
  readonly #entries = new Map<string, Expiring<Value>>();
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
    if (this.#now() >= this.#nextSweep) this.#sweep();
  }

  /** False when there was nothing. */
  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined;
    this.#entries.delete(key);
    return isThere;
  }

  /** In milliseconds; 0 for what is not there. */
  timeLeft(key: string): number {
    return Math.max(0, (this.#entries.get(key)?.end ?? 0) - this.#now());
  }

  #sweep(): void {
    const now = this.#now();
    this.#nextSweep = now + SWEEP_MS;
    for (const [key, { end }] of this.#entries) if (end <= now) this.#entries.delete(key);
  }
}

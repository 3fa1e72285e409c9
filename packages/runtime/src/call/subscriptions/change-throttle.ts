import { type Change, getChangeKey } from "../../api/notifier.js";

/** The default minimum time between two notifications of the same change, in milliseconds. */
export const DEFAULT_CHANGE_INTERVAL_MS = 250;

interface RecentChange<C> {
  readonly change: C;
  readonly at: number;
  /** Whether the same thing has changed since. */
  isHeld: boolean;
}

/**
 * Decides when changes are announced: the first change of a list or a resource at the end of its turn of the event
 * loop, together with all others of that turn; later changes at most once per interval. The last change is always
 * announced.
 */
export class ChangeThrottle<C extends Change> {
  readonly #announce: (changes: readonly C[]) => void;
  /** Changes of this turn. */
  #turn = new Map<string, C>();
  /** Changes that were announced within the interval, the oldest first. */
  readonly #recent = new Map<string, RecentChange<C>>();
  #timer: NodeJS.Timeout | undefined;
  readonly #intervalMs: number;

  /** @param intervalMs 0 if timers are unreliable: then each turn announces its changes */
  constructor(announce: (changes: readonly C[]) => void, intervalMs = DEFAULT_CHANGE_INTERVAL_MS) {
    this.#announce = announce;
    this.#intervalMs = intervalMs;
  }

  /** The number of changes in memory: those of this turn, and those that were announced within the interval. */
  get size(): number {
    return this.#turn.size + this.#recent.size;
  }

  add(change: C): void {
    const key = getChangeKey(change);
    const announced = this.#recent.get(key);
    if (announced !== undefined) {
      announced.isHeld = true;
      return;
    }
    if (this.#turn.size === 0) queueMicrotask(() => this.#endTurn());
    this.#turn.set(key, change);
  }

  /** Announces all pending changes immediately. Nothing may be added after that. */
  flush(): void {
    clearTimeout(this.#timer);
    const held = [...this.#recent.values()].filter(({ isHeld }) => isHeld);
    this.#recent.clear();
    const changes = [...this.#turn.values(), ...held.map(({ change }) => change)];
    this.#turn.clear();
    if (changes.length > 0) this.#announce(changes);
  }

  #endTurn(): void {
    const changes = [...this.#turn.values()];
    this.#turn.clear();
    this.#announceNow(changes);
  }

  #announceNow(changes: readonly C[]): void {
    const at = performance.now();
    if (this.#intervalMs > 0)
      for (const change of changes) this.#recent.set(getChangeKey(change), { change, at, isHeld: false });
    if (changes.length > 0) this.#announce(changes);
    this.#schedule();
  }

  /** Waits until the oldest may be announced again. */
  #schedule(): void {
    const [oldest] = this.#recent.values();
    if (oldest === undefined || this.#timer !== undefined) return;
    const ms = Math.max(1, oldest.at + this.#intervalMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#announceNow(this.#takeDue());
    }, ms).unref();
  }

  /** Forgets changes whose interval has passed, and returns those that happened again within it. */
  #takeDue(): C[] {
    const until = performance.now() - this.#intervalMs;
    const due: C[] = [];
    for (const [key, { change, at, isHeld }] of this.#recent) {
      if (at > until) break;
      this.#recent.delete(key);
      if (isHeld) due.push(change);
    }
    return due;
  }
}

import { type Change, changeKey } from "../api/notifier.js";

/** The usual shortest time between two announcements of the same thing, in milliseconds. */
export const CHANGE_INTERVAL_MS = 250;

interface Announced<C> {
  readonly change: C;
  readonly at: number;
  /** It has changed since. */
  isHeld: boolean;
}

/**
 * Decides when changes are announced: the first one of a thing at once, together with all of the same turn, and while
 * the thing goes on changing, one in each interval. The last change is always announced.
 */
export class ChangePace<C extends Change> {
  readonly #announce: (changes: readonly C[]) => void;
  /** Changes of this turn. */
  #turn = new Map<string, C>();
  /** What was announced a moment ago, the oldest first. */
  readonly #recent = new Map<string, Announced<C>>();
  #timer: NodeJS.Timeout | undefined;
  readonly #intervalMs: number;

  /** @param intervalMs 0 where no timer can be relied on: then each turn announces its changes */
  constructor(announce: (changes: readonly C[]) => void, intervalMs = CHANGE_INTERVAL_MS) {
    this.#announce = announce;
    this.#intervalMs = intervalMs;
  }

  /** How many things it knows of: what changed in this turn, or was announced a moment ago. */
  get size(): number {
    return this.#turn.size + this.#recent.size;
  }

  add(change: C): void {
    const key = changeKey(change);
    const announced = this.#recent.get(key);
    if (announced !== undefined) {
      announced.isHeld = true;
      return;
    }
    if (this.#turn.size === 0) queueMicrotask(() => this.#endTurn());
    this.#turn.set(key, change);
  }

  /** Announces at once what is still to be announced. Nothing is added from here on. */
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
      for (const change of changes) this.#recent.set(changeKey(change), { change, at, isHeld: false });
    if (changes.length > 0) this.#announce(changes);
    this.#wait();
  }

  /** Waits until the oldest may be announced again. */
  #wait(): void {
    const [oldest] = this.#recent.values();
    if (oldest === undefined || this.#timer !== undefined) return;
    const ms = Math.max(1, oldest.at + this.#intervalMs - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#announceNow(this.#due());
    }, ms).unref();
  }

  /** Forgets what was announced long enough ago, and returns what of it has changed since. */
  #due(): C[] {
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

import type { RateLimit } from "../manifest.js";

/** In how many parts a window is divided at most. */
const PARTS = 16;

/**
 * The calls of the last window. Up to 16 are kept one by one; of limits that allow more, those within a sixteenth of the
 * window are kept as one and leave with the last of them: later than they might, never earlier.
 */
export class CallWindow {
  /** Of each part, the oldest first: when it began, when its latest call leaves the window, how many calls it holds. */
  readonly #parts: number[] = [];
  #calls = 0;

  /** When the last call leaves the window. */
  get end(): number {
    return this.#parts.at(-2) ?? 0;
  }

  /** How long until another call is allowed, in milliseconds; 0 where it is at once. */
  wait(allowed: number, at: number): number {
    const parts = this.#parts;
    while (parts.length > 0 && Number(parts[1]) <= at) this.#calls -= Number(parts.splice(0, 3)[2]);
    let calls = this.#calls;
    for (let index = 0; index < parts.length && calls >= allowed; index += 3) {
      calls -= Number(parts[index + 2]);
      if (calls < allowed) return Number(parts[index + 1]) - at;
    }
    return 0;
  }

  add({ calls, windowMs }: RateLimit, at: number): void {
    const parts = this.#parts;
    const last = parts.length - 3;
    this.#calls += 1;
    if (last >= 0 && calls > PARTS && at - Number(parts[last]) < windowMs / PARTS) {
      parts[last + 1] = at + windowMs;
      parts[last + 2] = Number(parts[last + 2]) + 1;
    } else {
      parts.push(at, at + windowMs, 1);
    }
  }
}

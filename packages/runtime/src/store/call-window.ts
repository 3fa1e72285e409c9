import type { RateLimit } from "../manifest.js";

/** Maximum number of parts in a window. */
const MAX_PARTS = 16;

/**
 * The calls in a sliding window. If the limit is 16 or lower, each call is counted separately. With higher limits, calls
 * within a sixteenth of the window form one part. They leave the window together with the last of them: possibly later
 * than necessary, never earlier.
 */
export class CallWindow {
  /**
   * Three numbers for each part, the oldest first: when it began, when its latest call leaves the window, and the
   * number of its calls.
   */
  readonly #parts: number[] = [];
  #calls = 0;

  /** The time when the last call leaves the window. */
  get end(): number {
    return this.#parts.at(-2) ?? 0;
  }

  /** Returns the time until another call is allowed, in milliseconds; 0 if one is allowed now. */
  getWaitMs(allowed: number, at: number): number {
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
    if (last >= 0 && calls > MAX_PARTS && at - Number(parts[last]) < windowMs / MAX_PARTS) {
      parts[last + 1] = at + windowMs;
      parts[last + 2] = Number(parts[last + 2]) + 1;
    } else {
      parts.push(at, at + windowMs, 1);
    }
  }
}

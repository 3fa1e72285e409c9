/** Pseudorandom numbers. The same seed produces the same numbers, so that a run can be repeated. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed | 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 (inclusive) to `end` (exclusive). @param {number} end */
  below(end) {
    return Math.floor(this.next() * end);
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return /** @type {T} */ (list[this.below(list.length)]);
  }

  /**
   * Chooses one of several, each with the probability of its weight.
   *
   * @template T
   * @param {readonly (readonly [weight: number, T])[]} choices
   * @returns {T}
   */
  weighted(choices) {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      rest -= weight;
      if (rest < 0) return choice;
    }
    return /** @type {readonly [number, T]} */ (choices.at(-1))[1];
  }

  /** Returns the numbers of one part of a run, which do not depend on the other parts. @param {number} part */
  fork(part) {
    return new Random(Math.imul(this.#state ^ part, 0x9e3779b1) ^ (part << 7));
  }
}

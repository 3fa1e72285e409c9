/**
 * Outcomes of accepted requests.
 *
 * @typedef {"acknowledged" | "failed" | "stuck"} Outcome A result, an error in time, or nothing.
 *
 * @typedef {object} Tally Of one kind of work.
 * @property {number} acknowledged
 * @property {number} failed
 * @property {number} stuck
 * @property {number} slowestMs The slowest acknowledged request.
 */

/** Collects the outcome of every piece of work. */
export class Outcomes {
  /** @type {Map<string, Tally>} */
  kinds = new Map();
  /** Broken guarantees, as text. @type {string[]} */
  lost = [];
  /** Effects that happened more often than allowed. @type {string[]} */
  doubled = [];

  /** @param {number} stuckMs The time in milliseconds after which a request counts as stuck. */
  constructor(stuckMs) {
    this.stuckMs = stuckMs;
  }
  /** The errors that clients received, with their counts. @type {Map<string, number>} */
  reasons = new Map();

  /**
   * @param {string} kind @param {Outcome} outcome @param {number} ms
   * @param {string} [reason] the error that the client received
   */
  note(kind, outcome, ms, reason) {
    const tally = this.kinds.get(kind) ?? { acknowledged: 0, failed: 0, stuck: 0, slowestMs: 0 };
    this.kinds.set(kind, tally);
    tally[outcome]++;
    if (outcome === "acknowledged") tally.slowestMs = Math.max(tally.slowestMs, ms);
    if (reason === undefined) return;
    // Parts that differ between errors are omitted.
    const words = reason.replaceAll(/[0-9a-f-]{8,}|\d+/gi, "…").slice(0, 100);
    this.reasons.set(words, (this.reasons.get(words) ?? 0) + 1);
  }

  get calls() {
    return [...this.kinds.values()].reduce(
      (sum, { acknowledged, failed, stuck }) => sum + acknowledged + failed + stuck,
      0,
    );
  }

  /** Broken guarantees of any kind. */
  get faults() {
    return this.lost.length + this.doubled.length + this.stuck;
  }

  get stuck() {
    return [...this.kinds.values()].reduce((sum, { stuck }) => sum + stuck, 0);
  }
}

/**
 * What was promised and what became of it.
 *
 * @typedef {"acknowledged" | "told" | "stuck"} Outcome A result; an error, at once or in time; nothing at all.
 *
 * @typedef {object} Tally Of one kind of work.
 * @property {number} acknowledged
 * @property {number} told
 * @property {number} stuck
 * @property {number} slowestMs Of what was acknowledged.
 */

/** Keeps what every piece of work came to. */
export class Outcomes {
  /** @type {Map<string, Tally>} */
  kinds = new Map();
  /** What was promised and is not so, in words. @type {string[]} */
  lost = [];
  /** What has happened to the world more often than it should. @type {string[]} */
  doubled = [];

  /** @param {number} stuckMs Who waits longer is stuck, in milliseconds. */
  constructor(stuckMs) {
    this.stuckMs = stuckMs;
  }
  /** What clients were told, and how often. @type {Map<string, number>} */
  reasons = new Map();

  /**
   * @param {string} kind @param {Outcome} outcome @param {number} ms
   * @param {string} [reason] What the client was told.
   */
  note(kind, outcome, ms, reason) {
    const tally = this.kinds.get(kind) ?? { acknowledged: 0, told: 0, stuck: 0, slowestMs: 0 };
    this.kinds.set(kind, tally);
    tally[outcome]++;
    if (outcome === "acknowledged") tally.slowestMs = Math.max(tally.slowestMs, ms);
    if (reason === undefined) return;
    // What differs from one to the next is left out.
    const words = reason.replaceAll(/[0-9a-f-]{8,}|\d+/gi, "…").slice(0, 100);
    this.reasons.set(words, (this.reasons.get(words) ?? 0) + 1);
  }

  get calls() {
    return [...this.kinds.values()].reduce(
      (sum, { acknowledged, told, stuck }) => sum + acknowledged + told + stuck,
      0,
    );
  }

  /** Broken promises of any kind. */
  get faults() {
    return this.lost.length + this.doubled.length + this.stuck;
  }

  get stuck() {
    return [...this.kinds.values()].reduce((sum, { stuck }) => sum + stuck, 0);
  }
}

import type { CallCounts, CountedCaller, CountedLimit, Excess } from "../middleware/call-counts.js";
import type { Replica } from "./replica.js";

/** Counts calls in the store, for all replicas together. */
export class StoreCallCounts implements CallCounts {
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  async take(
    [caller]: readonly CountedCaller[],
    limits: readonly CountedLimit[],
  ): Promise<Excess | undefined> {
    if (caller === undefined) throw new Error("There is nobody to count a call for.");
    // Every count ends by itself, so there is room for each caller, and nobody is counted with others.
    const uses = limits.map(({ name, calls, windowMs }) => {
      const key = this.#replica.key(`calls:{${caller.kind} ${caller.id}}:${windowMs} ${name}`);
      return { key, calls, windowMs };
    });
    const usedUp = await this.#replica.store.take(uses);
    const limit = limits[usedUp?.index ?? -1];
    return usedUp && limit && { limit, retryAfterMs: usedUp.retryAfterMs };
  }
}

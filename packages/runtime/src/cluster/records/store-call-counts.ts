import type { CallCounts, RateLimitKey, NamedLimit, ExceededLimit } from "../../call/limits/call-counts.js";
import type { Replica } from "../replicas/replica.js";

/** Counts calls in the store, for all replicas together. */
export class StoreCallCounts implements CallCounts {
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  async consume(
    [caller]: readonly RateLimitKey[],
    limits: readonly NamedLimit[],
  ): Promise<ExceededLimit | undefined> {
    if (caller === undefined) throw new Error("There is no caller to count the call for.");
    // Counts expire on their own, so every caller has its own count and no limit on their number is needed.
    const uses = limits.map(({ name, calls, windowMs }) => {
      const key = this.#replica.toKey(`calls:{${caller.kind} ${caller.id}}:${windowMs} ${name}`);
      return { key, calls, windowMs };
    });
    const exceeded = await this.#replica.store.consume(uses);
    const limit = limits[exceeded?.index ?? -1];
    return exceeded && limit && { limit, retryAfterMs: exceeded.retryAfterMs };
  }
}

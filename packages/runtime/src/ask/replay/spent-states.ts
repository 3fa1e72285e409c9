import { ProtocolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";

/** How many are known at once. */
const MOST_STATES = 65_536;

/** Which states must not be used again. */
export interface SpentStates {
  /**
   * @param id what all states of one call at one place have in common
   * @param ttlMs for how long any of them can be used
   * @returns false when that has been spent before
   * @throws ProtocolError when it cannot be told
   */
  spend(id: string, ttlMs: number): boolean | Promise<boolean>;
}

/** Those of this process, as it alone knows them. */
export class MemorySpentStates implements SpentStates {
  readonly #ends = new Map<string, number>();

  spend(id: string, ttlMs: number): boolean {
    const now = performance.now();
    if ((this.#ends.get(id) ?? 0) > now) return false;
    if (this.#ends.size >= MOST_STATES) this.#sweep(now);
    if (this.#ends.size >= MOST_STATES) {
      // To forget one would be to let it be used again.
      throw new ProtocolError(ErrorCode.InternalError, "Too many states are in use.", undefined, 503);
    }
    this.#ends.set(id, now + ttlMs);
    return true;
  }

  #sweep(now: number): void {
    for (const [id, end] of this.#ends) if (end <= now) this.#ends.delete(id);
  }
}

import { ProtocolError } from "../../../api/errors.js";
import * as ErrorCode from "../../../protocol/error-codes.js";

/** Maximum number of states that are stored at once. */
const MAX_STATES = 65_536;

/** The request states that were consumed. */
export interface ConsumedStates {
  /**
   * Marks states as consumed.
   *
   * @param id identifies the states of one call up to the same point in its handler
   * @param ttlMs the time for which any of them is valid, in milliseconds
   * @returns false if they were consumed before
   * @throws ProtocolError if that cannot be determined
   */
  consume(id: string, ttlMs: number): boolean | Promise<boolean>;
}

/** Consumed states in the memory of this process. */
export class MemoryConsumedStates implements ConsumedStates {
  readonly #expiryTimes = new Map<string, number>();

  consume(id: string, ttlMs: number): boolean {
    const now = performance.now();
    if ((this.#expiryTimes.get(id) ?? 0) > now) return false;
    if (this.#expiryTimes.size >= MAX_STATES) this.#removeExpired(now);
    if (this.#expiryTimes.size >= MAX_STATES) {
      // If a state were forgotten, it could be used again.
      throw new ProtocolError(
        ErrorCode.InternalError,
        "Too many request states are in use. Try again later.",
        undefined,
        503,
      );
    }
    this.#expiryTimes.set(id, now + ttlMs);
    return true;
  }

  #removeExpired(now: number): void {
    for (const [id, end] of this.#expiryTimes) if (end <= now) this.#expiryTimes.delete(id);
  }
}

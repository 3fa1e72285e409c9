import type { Call } from "../connection/call.js";
import { namedCallers } from "./counted-callers.js";
import { tooManyCalls } from "./excess.js";

/** When a caller who has too many calls in progress may try again, in milliseconds: nobody knows, so soon. */
const RETRY_MS = 1000;

/**
 * The calls of each caller that are in progress, over all connections, sessions and requests: callers as rate limits know
 * them. A connection is no caller here, since `limits.calls` bounds it already.
 */
export class CallsInProgress {
  readonly #most: number;
  readonly #byCaller = new Map<string, number>();
  #all = 0;

  /** @param most how many of one caller */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many calls are counted at the moment. */
  get size(): number {
    return this.#all;
  }

  /** What a call is refused with whose caller has too many in progress already. */
  refusal(call: Call): Error | undefined {
    // Nobody has too many while all together have not.
    if (this.#all < this.#most || (this.#byCaller.get(nameOf(call) ?? "") ?? 0) < this.#most)
      return undefined;
    return tooManyCalls(call, `Too many calls at once: ${this.#most} are allowed.`, RETRY_MS);
  }

  /** Counts a call until the function that this returns is called. */
  hold(call: Call): () => void {
    const name = nameOf(call);
    if (name === undefined) return () => undefined;
    this.#change(name, 1);
    return () => this.#change(name, -1);
  }

  #change(name: string, by: number): void {
    const count = (this.#byCaller.get(name) ?? 0) + by;
    this.#all += by;
    if (count === 0) this.#byCaller.delete(name);
    else this.#byCaller.set(name, count);
  }
}

/** Undefined where nothing tells a caller from others. */
function nameOf(call: Call): string | undefined {
  const [caller] = namedCallers(call) ?? [];
  return caller && `${caller.kind} ${caller.id}`;
}

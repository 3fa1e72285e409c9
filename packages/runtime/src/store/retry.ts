/**
 * Retries operations on a store.
 * @module
 */
const INITIAL_RETRY_DELAY_MS = 100;
const MAX_RETRY_DELAY_MS = 5000;

/**
 * The time for which work that can wait retries an operation, in milliseconds. A process reconnects a few seconds after
 * the store is back, so this is twice as long as the outages that such work survives.
 */
export const OUTAGE_TOLERANCE_MS = 20_000;

/**
 * Returns how long to wait before another attempt, in milliseconds: twice as long each time, up to a maximum. It
 * differs from process to process, so that they do not all retry at the same time.
 *
 * @param failures number of attempts that failed, starting at 1
 */
export function getRetryDelayMs(failures: number): number {
  const delayMs = INITIAL_RETRY_DELAY_MS * 2 ** Math.min(failures - 1, 10);
  return Math.min(MAX_RETRY_DELAY_MS, delayMs) * (0.5 + Math.random() / 2);
}

/** The options of a retry. */
export interface RetryOptions {
  /** Returns true for an error that another attempt would not change. */
  readonly isFinal?: (error: unknown) => boolean;
  /** Sum of the delays after which the last error is thrown, in milliseconds. Default: no limit. */
  readonly maxDelayMs?: number;
}

/**
 * Runs an operation that may fail while a store is unreachable, and retries it.
 *
 * @throws the last error, if it is final or the delays are used up
 */
export async function retry<Value>(
  attempt: () => Promise<Value>,
  { isFinal, maxDelayMs = Infinity }: RetryOptions = {},
): Promise<Value> {
  for (let failures = 1, leftMs = maxDelayMs; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (leftMs <= 0 || isFinal?.(error) === true) throw error;
      const delayMs = Math.min(leftMs, getRetryDelayMs(failures));
      leftMs -= delayMs;
      await sleep(delayMs);
    }
  }
}

/**
 * Resolves after this many milliseconds, or when aborted. The timer does not keep the process alive, unless `wakers` is
 * passed.
 *
 * @param wakers a set that contains a function while the wait lasts; the function ends the wait
 */
export function sleep(ms: number, signal?: AbortSignal, wakers?: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      wakers?.delete(end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (wakers === undefined) timer.unref?.();
    wakers?.add(end);
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end);
  });
}

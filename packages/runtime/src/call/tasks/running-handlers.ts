import { withTimeout } from "../../transports/with-timeout.js";

/**
 * The share of the time for stopping that handlers get after their signal is aborted. The rest is for the disposal of
 * instances.
 */
const ABORTED_SHARE = 0.2;

/** Handlers that work on tasks, including tasks that have already ended. */
export class RunningHandlers {
  readonly #running = new Set<Promise<unknown>>();

  add(work: Promise<unknown>): void {
    const running: Promise<unknown> = work
      .catch(() => {})
      .finally(() => {
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /**
   * Waits for handlers whose signal is aborted, since they may still use instances that are disposed of next.
   *
   * @param withinMs the time that the server has left to stop, in milliseconds
   */
  async settle(withinMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    await withTimeout(withinMs * ABORTED_SHARE, Promise.all(this.#running));
  }
}

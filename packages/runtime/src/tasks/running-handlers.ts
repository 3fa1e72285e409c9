import { withTimeout } from "../transports/with-timeout.js";

/** Of the time that is left to a server that stops, what handlers get that were told to. The rest is for the disposal of instances. */
const TOLD_TO_STOP = 0.2;

/** Handlers at work on tasks: on a task that is over as well, until they are done. */
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
   * Waits for handlers that were told to stop: what they still use must not be disposed of before.
   *
   * @param withinMs the time that the server has left to stop
   */
  async settle(withinMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    await withTimeout(withinMs * TOLD_TO_STOP, Promise.all(this.#running));
  }
}

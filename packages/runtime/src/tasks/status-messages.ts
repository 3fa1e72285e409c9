import { POLL_INTERVAL_MS } from "./task-status.js";

/**
 * What a handler at work says of how far it is. The first is passed on at once, and of those that follow the latest, no
 * oftener than clients are asked to look: a handler may report every line that it reads.
 */
export class StatusMessages {
  readonly #passOn: (message: string) => void | Promise<void>;
  #latest: string | undefined;
  #isResting = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param passOn does not reject; until it has resolved, it is not called again */
  constructor(passOn: (message: string) => void | Promise<void>) {
    this.#passOn = passOn;
  }

  add(message: string): void {
    if (this.#isOver) return;
    this.#latest = message;
    if (!this.#isResting) void this.#send();
  }

  /** Nothing is passed on from here on. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #send(): Promise<void> {
    const message = this.#latest;
    if (message === undefined || this.#isOver) return;
    this.#latest = undefined;
    this.#isResting = true;
    await this.#passOn(message);
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#isResting = false;
      void this.#send();
    }, POLL_INTERVAL_MS).unref();
  }
}

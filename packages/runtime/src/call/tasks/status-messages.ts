import { POLL_INTERVAL_MS } from "./task-status.js";

/**
 * Throttles the progress reports of a handler, which may report every line that it reads. The first report is published
 * immediately, and later the latest one, at most once per polling interval of clients.
 */
export class StatusMessages {
  readonly #publish: (message: string) => void | Promise<void>;
  #latest: string | undefined;
  #unsent: string | undefined;
  #isThrottled = false;
  #isDone = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param publish must not reject; it is not called again before it has resolved */
  constructor(publish: (message: string) => void | Promise<void>) {
    this.#publish = publish;
  }

  /** The latest message, published or not. */
  get latest(): string | undefined {
    return this.#latest;
  }

  add(message: string): void {
    if (this.#isDone) return;
    this.#latest = message;
    this.#unsent = message;
    if (!this.#isThrottled) void this.#send();
  }

  /** Stops publishing. */
  end(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
  }

  async #send(): Promise<void> {
    const message = this.#unsent;
    if (message === undefined || this.#isDone) return;
    this.#unsent = undefined;
    this.#isThrottled = true;
    await this.#publish(message);
    if (this.#isDone) return;
    this.#timer = setTimeout(() => {
      this.#isThrottled = false;
      void this.#send();
    }, POLL_INTERVAL_MS).unref();
  }
}

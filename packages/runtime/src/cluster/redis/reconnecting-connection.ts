import { getRetryDelayMs, sleep } from "../../store/retry.js";
import { waitForResult } from "../../transports/with-timeout.js";

/**
 * The minimum lifetime of a stable connection, in milliseconds. After its loss, the next attempt begins immediately.
 */
const MIN_STABLE_MS = 5000;

export interface ConnectionSource<Client> {
  /** Connects. Rejects if it fails or takes too long. */
  connect(): Promise<Client>;
  /** Resolves when the connection is lost. */
  waitForLoss(client: Client): Promise<Error>;
  /** Rejects if the other end does not respond. */
  ping(client: Client): Promise<unknown>;
  close(client: Client): void;
  /** Called after each successful attempt, including the first. */
  onOpen?(client: Client): void;
}

/**
 * A connection that is replaced whenever it is lost: first immediately, then after growing random delays, so that not
 * all processes connect at the same time.
 */
export class ReconnectingConnection<Client> {
  readonly #source: ConnectionSource<Client>;
  readonly #timeoutMs: number;
  #isStarted = false;
  #isClosed = false;
  #client: Client | undefined;
  /** The error of the last attempt. */
  #failure: Error | undefined;
  #waiting: { resolve: (client: Client) => void; reject: (error: Error) => void }[] = [];
  #drop: ((reason: Error) => void) | undefined;

  constructor(source: ConnectionSource<Client>, timeoutMs: number) {
    this.#source = source;
    this.#timeoutMs = timeoutMs;
  }

  /** The connection, if it is open. */
  get client(): Client | undefined {
    return this.#client;
  }

  /** Returns the open connection, or waits for the current attempt. Rejects immediately if the last attempt failed. */
  waitForClient(): Promise<Client> {
    this.start();
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    if (this.#isClosed) return Promise.reject(new Error("The store is closed."));
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    // Every attempt has a timeout.
    return new Promise<Client>((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.#run();
  }

  /** Replaces this connection, if it is still in use. */
  replace(client: Client, reason: Error): void {
    if (client === this.#client) this.#drop?.(reason);
  }

  close(): void {
    this.#isClosed = true;
    const closed = new Error("The store is closed.");
    this.#settle(({ reject }) => reject(closed));
    this.#drop?.(closed);
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#isClosed) {
      const openedAt = await this.#open();
      if (this.#client !== undefined && openedAt !== undefined) {
        await this.#hold(this.#client);
        if (performance.now() - openedAt > MIN_STABLE_MS) failures = 0;
        if (failures === 0) {
          failures = 1;
          continue;
        }
      }
      failures += 1;
      if (!this.#isClosed) await sleep(getRetryDelayMs(failures));
    }
  }

  /**
   * Opens the connection.
   *
   * @returns the time when it was opened; undefined if it failed
   */
  async #open(): Promise<number | undefined> {
    try {
      const client = await this.#source.connect();
      this.#client = client;
      this.#failure = undefined;
      this.#settle(({ resolve }) => resolve(client));
      this.#source.onOpen?.(client);
      return performance.now();
    } catch (error) {
      const failure = toUnreachableError(error);
      this.#failure = failure;
      this.#settle(({ reject }) => reject(failure));
      return undefined;
    }
  }

  /** Waits until the connection is lost, or the other end does not respond, and closes it. */
  async #hold(client: Client): Promise<void> {
    const dropped = new Promise<Error>((resolve) => {
      this.#drop = resolve;
    });
    if (this.#isClosed) this.close();
    const ended = Promise.race([dropped, this.#source.waitForLoss(client)]);
    let isDone = false;
    void ended.then(() => {
      isDone = true;
    });
    void this.#watch(client, () => isDone);
    await ended;
    this.#drop = undefined;
    this.#client = undefined;
    this.#source.close(client);
  }

  async #watch(client: Client, isDone: () => boolean): Promise<void> {
    for (;;) {
      await sleep(this.#timeoutMs);
      if (isDone()) return;
      try {
        await waitForResult(this.#timeoutMs, this.#source.ping(client), "Redis does not respond");
      } catch (error) {
        this.replace(client, toUnreachableError(error));
      }
    }
  }

  #settle(
    end: (waiting: { resolve: (client: Client) => void; reject: (error: Error) => void }) => void,
  ): void {
    for (const each of this.#waiting.splice(0)) end(each);
  }
}

function toUnreachableError(error: unknown): Error {
  if (error instanceof Error && error.name === "MissingClientError") return error;
  return new Error(`Redis is unreachable: ${toReason(error)}`, { cause: error });
}

/**
 * Returns the message of an error. An `AggregateError`, thrown for a name with several addresses, has no message of its
 * own.
 */
function toReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(toReason).join(", ");
  return error instanceof Error ? error.message : String(error);
}

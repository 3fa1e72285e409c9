import { pause, within } from "./within.js";

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

/** A connection that lasted so long was a good one: the next attempt is made at once. */
const STEADY_MS = 5000;

export interface ConnectionSource<Client> {
  /** Connects; rejects when it cannot, in time. */
  connect(): Promise<Client>;
  /** Resolves once the connection is lost. */
  lost(client: Client): Promise<Error>;
  /** Rejects when nobody answers at the other end. */
  ping(client: Client): Promise<unknown>;
  close(client: Client): void;
  /** Called when the connection stands, the first time and after each break. */
  onOpen?(client: Client): void;
}

/** One connection, made again whenever it is lost: at once, then ever less often and not when everybody does. */
export class Reconnecting<Client> {
  readonly #source: ConnectionSource<Client>;
  readonly #timeoutMs: number;
  #isStarted = false;
  #isClosed = false;
  #client: Client | undefined;
  /** What the last attempt failed by. */
  #failure: Error | undefined;
  #waiting: { resolve: (client: Client) => void; reject: (error: Error) => void }[] = [];
  #drop: ((reason: Error) => void) | undefined;

  constructor(source: ConnectionSource<Client>, timeoutMs: number) {
    this.#source = source;
    this.#timeoutMs = timeoutMs;
  }

  /** The connection where it stands. */
  get client(): Client | undefined {
    return this.#client;
  }

  /** The connection: at once where it stands, soon where it is being made. Rejects at once where the last attempt failed. */
  current(): Promise<Client> {
    this.start();
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    if (this.#isClosed) return Promise.reject(new Error("The store is closed."));
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    // An attempt ends in time.
    return new Promise<Client>((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    void this.#run();
  }

  /** Makes another connection in place of this one, if it is still the one in use. */
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
        if (performance.now() - openedAt > STEADY_MS) failures = 0;
        if (failures === 0) {
          failures = 1;
          continue;
        }
      }
      failures += 1;
      if (!this.#isClosed) await pause(retryMs(failures));
    }
  }

  /** @returns when it was opened; undefined when it was not */
  async #open(): Promise<number | undefined> {
    try {
      const client = await this.#source.connect();
      this.#client = client;
      this.#failure = undefined;
      this.#settle(({ resolve }) => resolve(client));
      this.#source.onOpen?.(client);
      return performance.now();
    } catch (error) {
      const failure = unreachable(error);
      this.#failure = failure;
      this.#settle(({ reject }) => reject(failure));
      return undefined;
    }
  }

  /** Until the connection is lost, or nobody answers any more. */
  async #hold(client: Client): Promise<void> {
    const dropped = new Promise<Error>((resolve) => {
      this.#drop = resolve;
    });
    if (this.#isClosed) this.close();
    const over = Promise.race([dropped, this.#source.lost(client)]);
    let isOver = false;
    void over.then(() => {
      isOver = true;
    });
    void this.#watch(client, () => isOver);
    await over;
    this.#drop = undefined;
    this.#client = undefined;
    this.#source.close(client);
  }

  async #watch(client: Client, isOver: () => boolean): Promise<void> {
    for (;;) {
      await pause(this.#timeoutMs);
      if (isOver()) return;
      try {
        await within(this.#timeoutMs, this.#source.ping(client), "Redis does not answer");
      } catch (error) {
        this.replace(client, unreachable(error));
      }
    }
  }

  #settle(
    end: (waiting: { resolve: (client: Client) => void; reject: (error: Error) => void }) => void,
  ): void {
    for (const each of this.#waiting.splice(0)) end(each);
  }
}

function retryMs(failures: number): number {
  const ms = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10));
  return ms * (0.5 + Math.random() / 2);
}

function unreachable(error: unknown): Error {
  if (error instanceof Error && error.name === "MissingClient") return error;
  return new Error(`Redis cannot be reached: ${reasonOf(error)}`, { cause: error });
}

/** Where a name has several addresses, the error of all of them has no words of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

import cluster, { type Worker } from "node:cluster";
import { withTimeout } from "../../transports/with-timeout.js";
import type { FromWorker, HostModule, ServedWorker, StoreHost, ToWorker } from "./messages.js";
import { relayLines } from "./relay-lines.js";
import { deliverElsewhere } from "./undelivered-connections.js";

/**
 * The lifetime below which a worker counts as short-lived, in milliseconds. After two in a row, the next start is
 * delayed.
 */
const SHORT_LIFE_MS = 10_000;
const INITIAL_PAUSE_MS = 200;
const MAX_PAUSE_MS = 30_000;
/** The time that a worker may take to stop beyond the time that it has announced, in milliseconds. */
const STOP_GRACE_MS = 1000;
/**
 * The maximum time to wait for a dead worker's last output, in milliseconds. A child process of the worker may hold the
 * pipe open.
 */
const LAST_OUTPUT_TIMEOUT_MS = 2000;

/** A slot for a worker. When a worker ends, another takes its slot. */
interface Slot {
  readonly number: number;
  worker?: Worker | undefined;
  startedAt: number;
  /** The maximum time that the worker takes to stop. Absent until it serves. */
  stopsWithinMs?: number | undefined;
  /** The number of short-lived workers in a row. */
  shortLives: number;
  /** The previous worker, and how it ended. */
  replaces?: string | undefined;
}

/** The workers of one server. Keeps as many of them running as configured. */
export class WorkerPool {
  /** Resolves with the exit code after the last worker has ended. */
  readonly ended: Promise<number>;
  readonly #count: number;
  readonly #environment: Record<string, string>;
  readonly #slots: Slot[] = [];
  /** The store that workers share, if one has requested it. */
  #storeHost: Promise<StoreHost> | undefined;
  #stopSignal: string | undefined;
  #end = (_code: number): void => {};

  /**
   * Starts one worker and, when it serves, the others. An error that prevents the start is therefore logged only once,
   * and ends the server.
   *
   * @param environment additional environment variables of the workers
   */
  constructor(count: number, environment: Record<string, string>) {
    this.#count = count;
    this.#environment = environment;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#add();
  }

  /** Lets every worker finish its calls and end. A second call kills them. */
  stop(signal: string): void {
    if (this.#stopSignal !== undefined) {
      for (const { worker } of this.#slots) worker?.process.kill("SIGKILL");
      return this.#end(1);
    }
    this.#stopSignal = signal;
    for (const slot of this.#slots) this.#stop(slot, signal);
    this.#endIfEmpty();
  }

  #add(): void {
    const slot: Slot = { number: this.#slots.length + 1, startedAt: 0, shortLives: 0 };
    this.#slots.push(slot);
    this.#start(slot);
  }

  #start(slot: Slot): void {
    const worker = cluster.fork({ ...this.#environment, TENON_WORKER: slot.number });
    slot.worker = worker;
    slot.startedAt = performance.now();
    const outputEnded = relayLines(worker.process.stderr);
    deliverElsewhere(worker);
    let served: Promise<ServedWorker> | undefined;
    worker.on("message", (message: FromWorker) => {
      if (message.tenon === "serving") this.#handleServing(slot, message.stopsWithinMs);
      else if (message.tenon === "host") served = this.#serveStore(worker, message.module);
      else if (message.tenon === "store") void served?.then((each) => each.handle(message.request));
    });
    worker.once("exit", (code, signal) => {
      void served?.then((each) => each.close());
      const ending = signal ? `was killed by ${signal}` : `ended with exit code ${code}`;
      void withTimeout(LAST_OUTPUT_TIMEOUT_MS, outputEnded).then(() => this.#replace(slot, code, ending));
    });
  }

  /**
   * Serves the store to a worker.
   *
   * @param module the URL from the first worker that requests the store; later workers may have a newer build
   */
  async #serveStore(worker: Worker, module: string): Promise<ServedWorker> {
    this.#storeHost ??= import(module).then((loaded: HostModule) => loaded.createStoreHost());
    const host = await this.#storeHost;
    return host.serve((reply) => send(worker, { tenon: "store", reply }));
  }

  #handleServing(slot: Slot, stopsWithinMs: number): void {
    const { worker, replaces } = slot;
    slot.stopsWithinMs = stopsWithinMs;
    send(worker, { tenon: "welcome", ...(replaces !== undefined && { replaces }) });
    if (this.#stopSignal !== undefined) return this.#stop(slot, this.#stopSignal);
    while (this.#slots.length < this.#count) this.#add();
  }

  /**
   * Starts a worker in place of one that has ended.
   *
   * @param ending describes the end of the worker
   */
  #replace(slot: Slot, code: number, ending: string): void {
    const { worker, replaces, startedAt, stopsWithinMs } = slot;
    slot.worker = undefined;
    slot.stopsWithinMs = undefined;
    if (this.#stopSignal !== undefined) return this.#endIfEmpty();
    const isFirstStart = this.#slots.length === 1 && replaces === undefined;
    // The worker has logged why it could not start.
    if (isFirstStart && stopsWithinMs === undefined) return this.#end(code || 1);
    slot.shortLives = performance.now() - startedAt < SHORT_LIFE_MS ? slot.shortLives + 1 : 0;
    slot.replaces = `worker ${worker?.process.pid}, which ${ending}`;
    const pause = slot.shortLives < 2 ? 0 : INITIAL_PAUSE_MS * 2 ** (slot.shortLives - 2);
    setTimeout(
      () => {
        if (this.#stopSignal === undefined) this.#start(slot);
      },
      Math.min(pause, MAX_PAUSE_MS),
    );
  }

  #stop(slot: Slot, signal: string): void {
    const { worker, stopsWithinMs } = slot;
    // A worker that does not serve yet has no calls to finish.
    if (stopsWithinMs === undefined) return void worker?.process.kill("SIGKILL");
    send(slot.worker, { tenon: "stop", signal });
    setTimeout(() => worker?.process.kill("SIGKILL"), stopsWithinMs + STOP_GRACE_MS).unref();
  }

  #endIfEmpty(): void {
    if (this.#slots.every(({ worker }) => worker === undefined)) this.#end(0);
  }
}

/** Sends a message. Ignores errors, since the worker may have ended. */
function send(worker: Worker | undefined, message: ToWorker): void {
  worker?.process.send(message, () => {});
}

import cluster, { type Worker } from "node:cluster";
import { withTimeout } from "../transports/with-timeout.js";
import type { FromWorker, HostModule, ServedWorker, StoreHost, ToWorker } from "./messages.js";
import { relayLines } from "./relay-lines.js";
import { deliverElsewhere } from "./undelivered-connections.js";

/** A worker that ends sooner, and not for the first time in a row, is started again after a pause. */
const SHORT_LIFE_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
/** How much longer than it has said a worker may take to stop. */
const OVERTIME_MS = 1000;
/** What a worker has written last is waited for, unless a process that it has started still holds the pipe. */
const LAST_WORDS_MS = 2000;

/** The place of one worker, which one process takes after the other. */
interface Place {
  readonly number: number;
  worker?: Worker | undefined;
  startedAt: number;
  /** How long its worker may take to stop. Absent until it serves. */
  stopsWithinMs?: number | undefined;
  /** How many workers in a row have ended soon. */
  shortLives: number;
  /** What its worker is started again for. */
  replaces?: string | undefined;
}

/** The workers of one server: as many as there should be, as far as that can be had. */
export class WorkerPool {
  /** The exit code, once the last worker has ended. */
  readonly ended: Promise<number>;
  readonly #count: number;
  readonly #environment: Record<string, string>;
  readonly #places: Place[] = [];
  /** What workers share, where they have asked for it. */
  #storeHost: Promise<StoreHost> | undefined;
  #stopSignal: string | undefined;
  #end = (_code: number): void => {};

  /**
   * Starts one worker and, once it serves, the others. What keeps a server from starting is said once so, and ends it.
   *
   * @param environment what workers find in theirs besides
   */
  constructor(count: number, environment: Record<string, string>) {
    this.#count = count;
    this.#environment = environment;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#add();
  }

  /** Has every worker finish its calls and end. Told a second time, ends them at once. */
  stop(signal: string): void {
    if (this.#stopSignal !== undefined) {
      for (const { worker } of this.#places) worker?.process.kill("SIGKILL");
      return this.#end(1);
    }
    this.#stopSignal = signal;
    for (const place of this.#places) this.#stop(place, signal);
    this.#endIfEmpty();
  }

  #add(): void {
    const place: Place = { number: this.#places.length + 1, startedAt: 0, shortLives: 0 };
    this.#places.push(place);
    this.#start(place);
  }

  #start(place: Place): void {
    const worker = cluster.fork({ ...this.#environment, TENON_WORKER: place.number });
    place.worker = worker;
    place.startedAt = performance.now();
    const saidAll = relayLines(worker.process.stderr);
    deliverElsewhere(worker);
    let served: Promise<ServedWorker> | undefined;
    worker.on("message", (message: FromWorker) => {
      if (message.tenon === "serving") this.#welcome(place, message.stopsWithinMs);
      else if (message.tenon === "host") served = this.#serveStore(worker, message.module);
      else if (message.tenon === "store") void served?.then((each) => each.take(message.request));
    });
    worker.once("exit", (code, signal) => {
      void served?.then((each) => each.close());
      const how = signal ? `was killed by ${signal}` : `ended with exit code ${code}`;
      void withTimeout(LAST_WORDS_MS, saidAll).then(() => this.#replace(place, code, how));
    });
  }

  /** @param module as the first worker that asks has it: later ones may be of a newer build */
  async #serveStore(worker: Worker, module: string): Promise<ServedWorker> {
    this.#storeHost ??= import(module).then((loaded: HostModule) => loaded.createStoreHost());
    const host = await this.#storeHost;
    return host.serve((reply) => send(worker, { tenon: "store", reply }));
  }

  #welcome(place: Place, stopsWithinMs: number): void {
    const { worker, replaces } = place;
    place.stopsWithinMs = stopsWithinMs;
    send(worker, { tenon: "welcome", ...(replaces !== undefined && { replaces }) });
    if (this.#stopSignal !== undefined) return this.#stop(place, this.#stopSignal);
    while (this.#places.length < this.#count) this.#add();
  }

  /** @param how its worker has ended */
  #replace(place: Place, code: number, how: string): void {
    const { worker, replaces, startedAt, stopsWithinMs } = place;
    place.worker = undefined;
    place.stopsWithinMs = undefined;
    if (this.#stopSignal !== undefined) return this.#endIfEmpty();
    const isFirstOfAll = this.#places.length === 1 && replaces === undefined;
    // It has said why it could not start.
    if (isFirstOfAll && stopsWithinMs === undefined) return this.#end(code || 1);
    place.shortLives = performance.now() - startedAt < SHORT_LIFE_MS ? place.shortLives + 1 : 0;
    place.replaces = `worker ${worker?.process.pid}, which ${how}`;
    const pause = place.shortLives < 2 ? 0 : FIRST_PAUSE_MS * 2 ** (place.shortLives - 2);
    setTimeout(
      () => {
        if (this.#stopSignal === undefined) this.#start(place);
      },
      Math.min(pause, LONGEST_PAUSE_MS),
    );
  }

  #stop(place: Place, signal: string): void {
    const { worker, stopsWithinMs } = place;
    // Who does not serve yet has no calls to finish.
    if (stopsWithinMs === undefined) return void worker?.process.kill("SIGKILL");
    send(place.worker, { tenon: "stop", signal });
    setTimeout(() => worker?.process.kill("SIGKILL"), stopsWithinMs + OVERTIME_MS).unref();
  }

  #endIfEmpty(): void {
    if (this.#places.every(({ worker }) => worker === undefined)) this.#end(0);
  }
}

/** A worker that is gone by now does not matter. */
function send(worker: Worker | undefined, message: ToWorker): void {
  worker?.process.send(message, () => {});
}

import type { Replica } from "../../replicas/replica.js";
import type { StoredCall } from "./stored-call.js";
import type { StoredRun } from "./stored-run.js";
import { isRecordOver, type TaskRecord } from "./task-record.js";
import type { TaskQueue } from "./task-queue.js";
import type { TaskRecords } from "./task-records.js";

/** How long a process that was alive is taken to be so, in milliseconds. */
const ALIVE_MS = 1000;

/** How many tasks of processes that died are looked at at a time. */
const MOST_AT_A_TIME = 64;

/** Begins a run of a task that is this process's. `isLast`: a handler that fails is not run again. */
export type Resume = (record: TaskRecord, isLast?: boolean) => StoredRun;

export interface RescueOptions {
  readonly replica: Replica;
  readonly records: TaskRecords;
  /** Whether this process can be at work on one more task. */
  hasPlaceFor(id: string): boolean;
  /**
   * What runs the handler of a call, once its task is this process's; undefined for a call that this process cannot serve,
   * as it may be of a newer version of the server.
   */
  prepare(call: StoredCall): Resume | undefined;
  /** Where there is a queue, it says who goes on. */
  readonly queue: TaskQueue | undefined;
}

/** Goes on with tasks whose processes have died, or have given them up. */
export class TaskRescue {
  readonly #options: RescueOptions;
  /** Until when processes are taken to be alive. */
  readonly #aliveUntil = new Map<string, number>();
  readonly #considered = new Set<string>();
  /** Of these it is not known whether they are this process's. */
  readonly #doubtful = new Set<string>();

  constructor(options: RescueOptions) {
    this.#options = options;
  }

  /** Takes a task over where nobody is at work on it. Never rejects: what fails now is tried again by and by. */
  async consider(record: TaskRecord): Promise<void> {
    const { id } = record;
    const { queue, hasPlaceFor } = this.#options;
    if (isRecordOver(record) || this.#considered.has(id) || !hasPlaceFor(id)) return;
    this.#considered.add(id);
    try {
      if (await this.#isAtWork(record.worker)) return;
      await (queue === undefined ? this.#takeOver(record) : queue.submitAgain(record));
    } catch {
      // The log has it.
      this.#doubtful.add(id);
    } finally {
      this.#considered.delete(id);
    }
  }

  /**
   * Takes a task, whoever is at work on it: the queue has given it to this process.
   *
   * @returns its run; undefined for a task that is over, or given up
   * @throws Error for a call that this process cannot serve
   */
  async take(id: string, isLast: boolean): Promise<StoredRun | undefined> {
    const { records, prepare } = this.#options;
    for (;;) {
      const seen = await records.get(id);
      if (seen === undefined || isRecordOver(seen)) return undefined;
      const call = await records.callOf(id);
      const resume = call && prepare(call);
      if (resume === undefined) throw new Error("This process cannot serve the call of the task.");
      const record = await records.takeOver(seen);
      if (record !== undefined) return resume(record, isLast);
    }
  }

  /** Looks for tasks of processes that died, of which nobody may ever ask. */
  async sweep(): Promise<void> {
    const { records } = this.#options;
    const doubtful = [...this.#doubtful];
    this.#doubtful.clear();
    const orphans = await records.orphans(MOST_AT_A_TIME).catch(() => []);
    for (const id of [...doubtful, ...orphans]) {
      try {
        const record = await records.get(id);
        if (record !== undefined) await this.consider(record);
      } catch {
        this.#doubtful.add(id);
      }
    }
  }

  async #takeOver(seen: TaskRecord): Promise<void> {
    const { records, prepare } = this.#options;
    const call = await records.callOf(seen.id);
    const resume = call && prepare(call);
    if (resume === undefined) return;
    const record = await records.takeOver(seen);
    if (record !== undefined) resume(record);
  }

  async #isAtWork(worker: string): Promise<boolean> {
    const { replica } = this.#options;
    // What this process is at work on has no place for another run.
    if (worker === "" || worker === replica.id) return false;
    if ((this.#aliveUntil.get(worker) ?? 0) > performance.now()) return true;
    const isAlive = await replica.isAlive(worker);
    if (isAlive) this.#aliveUntil.set(worker, performance.now() + ALIVE_MS);
    else this.#aliveUntil.delete(worker);
    return isAlive;
  }
}

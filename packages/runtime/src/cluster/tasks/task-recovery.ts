import * as ErrorCode from "../../protocol/error-codes.js";
import { isRecordDone, type TaskRecord, withEnd, withNextRun } from "../../call/tasks/task-record.js";
import type { TaskRecords } from "../../call/tasks/task-records.js";
import type { TaskRun } from "../../call/tasks/task-run.js";
import type { RecordTable } from "../../store/record-table.js";
import type { StoredRequest } from "../records/stored-request.js";
import type { Replica } from "../replicas/replica.js";
import type { TaskIndex } from "./task-index.js";
import type { TaskQueue } from "./task-queue.js";

/** The time for which a process that was alive is assumed to be still alive, in milliseconds. */
const ALIVE_MS = 1000;

/** The outcome of a task whose call is not in the store any longer. */
const LOST = {
  error: {
    code: ErrorCode.InternalError,
    message: "The server has lost the call of this task. Call again if the call is safe to repeat.",
  },
};

/** Maximum number of tasks of dead processes that one sweep examines. */
const MAX_ORPHANS = 64;

/** Starts a run of a task that this process owns. With `isFinal`, a handler that fails does not run again. */
export type Resume = (record: TaskRecord, isFinal?: boolean) => TaskRun;

export interface RecoveryOptions {
  readonly replica: Replica;
  readonly records: TaskRecords;
  readonly requests: RecordTable<StoredRequest>;
  readonly index: TaskIndex;
  /** Returns true if this process can work on one more task. */
  hasRoomFor(id: string): boolean;
  /**
   * Returns a function that runs the handler of a call after this process owns its task; undefined if this process
   * cannot serve the call, for example one of a newer version of the server.
   */
  prepare(request: StoredRequest): Resume | undefined;
  /** Decides which process continues. Without a queue, the first process that notices continues. */
  readonly queue: TaskQueue | undefined;
  /** Receives the event that the queue has assigned a task that is not in the store. */
  onUnknown(): void;
}

/** Continues tasks whose processes have crashed or released them. */
export class TaskRecovery {
  readonly #options: RecoveryOptions;
  /** The time until which each process is assumed to be alive. */
  readonly #aliveUntil = new Map<string, number>();
  readonly #inProgress = new Set<string>();
  /** Tasks for which the store failed, to be examined again. */
  readonly #failed = new Set<string>();

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Takes a task over if no process works on it. Never rejects: failures are retried later. */
  async recover(record: TaskRecord): Promise<void> {
    const { id } = record;
    const { queue, hasRoomFor } = this.#options;
    if (isRecordDone(record) || this.#inProgress.has(id) || !hasRoomFor(id)) return;
    this.#inProgress.add(id);
    try {
      if (await this.#isWorking(record.worker)) return;
      await (queue === undefined ? this.#resume(record, true) : queue.resubmit(record));
    } catch {
      // The store has logged the error.
      this.#failed.add(id);
    } finally {
      this.#inProgress.delete(id);
    }
  }

  /**
   * Takes a task that the queue has assigned to this process, even if another works on it.
   *
   * @returns the run; undefined if the task is unknown, is done, or has failed
   * @throws Error if this process cannot serve the call
   */
  async take(id: string, isFinal: boolean): Promise<TaskRun | undefined> {
    for (;;) {
      const seen = await this.#options.records.get(id);
      if (seen === undefined) this.#options.onUnknown();
      if (seen === undefined || isRecordDone(seen)) return undefined;
      const run = await this.#resume(seen, isFinal);
      if (run === null) throw new Error("This process cannot serve the call of the task.");
      if (run !== undefined) return run;
    }
  }

  /** Looks for tasks of dead processes, since clients may never request them. */
  async sweep(): Promise<void> {
    const { records, index } = this.#options;
    const failed = [...this.#failed];
    this.#failed.clear();
    const orphans = await index.findOrphans(MAX_ORPHANS).catch(() => []);
    for (const id of [...failed, ...orphans]) {
      try {
        const record = await records.get(id);
        if (record !== undefined) await this.recover(record);
      } catch {
        this.#failed.add(id);
      }
    }
  }

  /**
   * Takes a task over and runs its handler, unless another process has taken it since it was read.
   *
   * @returns undefined if another process has taken it, or if the task is done or has failed; null if this process
   *   cannot serve the call
   */
  async #resume(seen: TaskRecord, isFinal: boolean): Promise<TaskRun | undefined | null> {
    const { records, requests, index, prepare, replica } = this.#options;
    const request = await requests.get(seen.id);
    const resume = request && prepare(request);
    const isLost = request === undefined && !(await this.#isWorking(seen.worker));
    if (resume === undefined && !isLost) return null;
    await index.add(seen.id);
    const { record, isChanged } = await records.change(seen.id, (latest) => {
      if (latest?.worker !== seen.worker || latest.run !== seen.run) return undefined;
      return isLost ? withEnd(latest, "failed", LOST) : withNextRun(latest, replica.id);
    });
    if (!isChanged || record === undefined || isRecordDone(record)) return undefined;
    return resume?.(record, isFinal);
  }

  async #isWorking(worker: string): Promise<boolean> {
    const { replica } = this.#options;
    // A process does not run a task twice at the same time.
    if (worker === "" || worker === replica.id) return false;
    if ((this.#aliveUntil.get(worker) ?? 0) > performance.now()) return true;
    const isAlive = await replica.isAlive(worker);
    if (isAlive) this.#aliveUntil.set(worker, performance.now() + ALIVE_MS);
    else this.#aliveUntil.delete(worker);
    return isAlive;
  }
}

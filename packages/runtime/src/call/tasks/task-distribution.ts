import type { RecordEffect } from "../steps/effects.js";
import type { Call } from "../connection/call.js";
import type { TaskRecord } from "./task-record.js";

/** Distributes the tasks of a server among its processes. Absent in a single-process server. */
export interface TaskDistribution {
  /** Identifies this process. */
  readonly processId: string;
  /** Stores what other processes need to run the handler of a new task. */
  prepare(record: TaskRecord, call: Call): Promise<void>;
  /** Submits a task to the queue that decides which process works on it. Absent without a queue. */
  readonly enqueue?: ((id: string) => Promise<void>) | undefined;
  /** Returns a function that records the effects of one run for other runs; see `EffectStore`. */
  createRecorder(ttlMs: number, isDone: () => boolean): RecordEffect;
  /** Continues a task if its process has crashed. */
  recoverIfOrphaned(record: TaskRecord): void;
  /** Notifies the process that works on a task of a change. */
  notifyWorker(record: TaskRecord): Promise<void>;
}

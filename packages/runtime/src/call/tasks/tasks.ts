import { getBinding, getShare } from "../../access/principal.js";
import type { Principal } from "../../api/caller.js";
import { ProtocolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { type DrainableTasks, SHUTTING_DOWN } from "../../transports/drain.js";
import { readStoredAnswer } from "../questions/read-stored-answer.js";
import { type AskedQuestion, EMPTY_TRANSCRIPT } from "../questions/transcript.js";
import type { Call } from "../connection/call.js";
import { createTaskRecord } from "./create-task-record.js";
import { RunningHandlers } from "./running-handlers.js";
import { serveTask } from "./serve-task.js";
import type {
  TaskWatch,
  FoundTask,
  ScopedTask,
  ServerTasks,
  StartedTask,
  TaskSource,
  TaskSupport,
} from "./server-tasks.js";
import type { TaskDistribution } from "./task-distribution.js";
import { TaskDrain } from "./task-drain.js";
import {
  isRecordDone,
  toTaskDetails,
  type TaskRecord,
  toTaskSummary,
  withAnswers,
  withEnd,
} from "./task-record.js";
import type { TaskRecords } from "./task-records.js";
import { TaskRun, type TaskRunOptions } from "./task-run.js";
import { readAnswer } from "./task-status.js";
import { WatchedTasks } from "./watched-tasks.js";

/** The ID of the process in a server that has only one. */
const ONLY_PROCESS = "local";

/** The tasks of one server, in its store. Every process can return all tasks, and one process at a time works on each. */
export class Tasks implements ServerTasks {
  readonly #source: TaskSource;
  readonly #records: TaskRecords;
  readonly #distribution: TaskDistribution | undefined;
  /** The runs of this process, by the task's ID. */
  readonly #running = new Map<string, TaskRun>();
  readonly #handlers = new RunningHandlers();
  readonly #watched = new Set<WatchedTasks>();
  /** The runs whose calls are served again, until their handler is reached. */
  readonly #resumed = new WeakMap<Call, TaskRun>();
  readonly #local: TaskDrain | undefined;

  /** @param distribution how other processes share the tasks; without one, they end with this process */
  constructor(source: TaskSource, records: TaskRecords, distribution?: TaskDistribution) {
    this.#source = source;
    this.#records = records;
    this.#distribution = distribution;
    this.#local = distribution === undefined ? new TaskDrain() : undefined;
  }

  get drainable(): DrainableTasks | undefined {
    return this.#local;
  }

  serve(call: Call, support: TaskSupport, run: () => string | Promise<string>): string | Promise<string> {
    // A call that is served again is already a task, so its handler does not have to start one.
    const isResumed = this.#resumed.has(call);
    const taskSupport: TaskSupport = isResumed ? { ...support, start: "call" } : support;
    const begin = (taskCall: Call, start: TaskSupport["start"]): StartedTask => this.#begin(taskCall, start);
    return serveTask(call, taskSupport, { source: this.#source, handlers: this.#handlers, begin }, run);
  }

  async find(id: unknown, principal: Principal | undefined): Promise<FoundTask | undefined> {
    const record = await this.#find(id, principal);
    if (record === undefined) return undefined;
    return {
      tool: record.tool,
      scopes: record.scopes,
      arguments: record.arguments,
      details: this.#describe(record),
      answer: async (responses) => {
        const changed = await this.#records.change(
          record.id,
          (latest) =>
            latest &&
            withAnswers(latest, responses, (key, question, answer) => {
              readAnswer((value) => readStoredAnswer(question, value, this.#source.forms), key, answer);
            }),
        );
        await this.#notifyWorker(changed.record ?? record);
      },
      cancel: async (reason) => {
        const changed = await this.#records.change(
          record.id,
          (latest) => latest && withEnd(latest, "cancelled"),
        );
        if (changed.isChanged) this.#running.get(record.id)?.stop(reason);
        await this.#notifyWorker(changed.record ?? record);
      },
    };
  }

  async watch(
    ids: readonly unknown[],
    principal: Principal | undefined,
    mayRead: (task: ScopedTask) => Promise<boolean>,
  ): Promise<TaskWatch> {
    const found = await Promise.all(
      ids.map(async (id) => {
        const record = await this.#find(id, principal);
        return record !== undefined && (await mayRead(record)) ? record : [];
      }),
    );
    const records = found.flat();
    const local = this.#local;
    const watched = new WatchedTasks(this.#records, records, {
      onRead: (record) => this.#distribution?.recoverIfOrphaned(record),
      describe: (record) => this.#describe(record),
      ...(local && { whenDone: () => local.whenTasksDone(records.map(({ id }) => id)) }),
      onEnd: (each) => this.#watched.delete(each),
    });
    await watched.open();
    this.#watched.add(watched);
    return watched;
  }

  /** Returns whether this process can work on one more task, and does not work on this one. */
  hasRoomFor(id: string): boolean {
    return !this.#running.has(id) && this.#running.size < this.#source.limits.maxTasks;
  }

  /**
   * Continues a task of another process, or of an earlier run. The caller must serve its call next.
   *
   * @param isRetried true if a handler that fails with an internal error runs again
   */
  resume(call: Call, record: TaskRecord, isRetried: boolean): TaskRun {
    const run = this.#run({ call, record, isRetried });
    this.#resumed.set(call, run);
    return run;
  }

  /** Returns whether a call is served again, and has not reached its handler. */
  isWaiting(call: Call): boolean {
    return this.#resumed.has(call);
  }

  /** Reads a task again, since another process may have changed it. */
  refresh(id: string): void {
    // After an error, the task is read again later.
    this.#running
      .get(id)
      ?.refresh()
      .catch(() => {});
  }

  /** Reads all tasks again, since other processes may have changed them. */
  refreshAll(): void {
    for (const id of this.#running.keys()) this.refresh(id);
    for (const watched of this.#watched) void watched.refresh();
  }

  async close(withinMs: number): Promise<void> {
    if (this.#local === undefined) {
      await Promise.all(Array.from(this.#running.values(), (run) => run.handOver(SHUTTING_DOWN)));
    } else {
      this.#local.abandon(SHUTTING_DOWN);
      await this.#local.whenDone();
      this.#local.clear();
    }
    await this.#handlers.settle(withinMs);
  }

  #begin(call: Call, start: TaskSupport["start"]): StartedTask {
    const { inputRequester } = call;
    const resumed = this.#resumed.get(call);
    if (resumed !== undefined) {
      this.#resumed.delete(call);
      return resumed;
    }
    this.#makeRoom(call.peer.principal);
    const { enqueue, processId = ONLY_PROCESS } = this.#distribution ?? {};
    // A handler that has begun continues in this process.
    const isQueued = enqueue !== undefined && start === "call";
    const transcript = inputRequester?.transcript ?? EMPTY_TRANSCRIPT;
    // Questions without an answer are asked again.
    const askedBefore = new Map([...transcript.asked].filter(([, each]) => "answer" in each));
    const record = createTaskRecord(
      this.#source,
      call,
      { ...transcript, asked: askedBefore },
      isQueued ? undefined : processId,
    );
    const write = async (): Promise<void> => {
      await this.#distribution?.prepare(record, call);
      await this.#records.create(record);
    };
    if (isQueued) return this.#enqueue(record, write(), enqueue);
    return this.#run({ call, record, write, earlierRequester: inputRequester, askedBefore });
  }

  /**
   * Evicts the oldest local task that has ended, if there are too many. An identified caller who has half of all tasks
   * makes room with its own.
   */
  #makeRoom(principal: Principal | undefined): void {
    const { maxTasks } = this.#source.limits;
    const owner = principal && getBinding(principal);
    const hasUsedShare = owner !== undefined && this.#countByOwner(owner) >= getShare(maxTasks);
    if (!hasUsedShare && (this.#local?.size ?? this.#running.size) < maxTasks) return;
    const evictedId = this.#local?.evict(hasUsedShare ? owner : undefined);
    if (evictedId === undefined) throw createTooManyTasksError(hasUsedShare);
    void this.#records.delete(evictedId);
  }

  #countByOwner(owner: string): number {
    return (
      this.#local?.countByOwner(owner) ??
      Array.from(this.#running.values()).filter((run) => run.owner === owner).length
    );
  }

  #enqueue(record: TaskRecord, written: Promise<void>, enqueue: (id: string) => Promise<void>): StartedTask {
    const { id } = record;
    const enqueued = written
      .then(() => enqueue(id))
      .catch(async (error: unknown) => {
        // No client has received the task.
        await this.#records.change(id, (latest) => latest && withEnd(latest, "cancelled")).catch(() => {});
        throw error;
      });
    return {
      summary: toTaskSummary(record),
      recorded: enqueued,
      isElsewhere: true,
      report: () => {},
      complete: () => {},
      fail: () => {},
      onDone: (listener) => listener(),
    };
  }

  #run(
    options: Pick<TaskRunOptions, "call" | "record" | "write" | "earlierRequester" | "isRetried"> & {
      askedBefore?: ReadonlyMap<string, AskedQuestion>;
    },
  ): TaskRun {
    const { id, ttlMs } = options.record;
    const distribution = this.#distribution;
    const run = new TaskRun({
      ...options,
      forms: this.#source.forms,
      records: this.#records,
      ...(distribution && { createRecorder: (isDone) => distribution.createRecorder(ttlMs, isDone) }),
    });
    this.#running.get(id)?.stop("Another run continues the task.");
    this.#running.set(id, run);
    this.#local?.add(run, ttlMs);
    run.onDone(() => {
      if (this.#running.get(id) === run) this.#running.delete(id);
    });
    return run;
  }

  async #find(id: unknown, principal: Principal | undefined): Promise<TaskRecord | undefined> {
    // Only text in the format of our IDs may become part of a key.
    if (typeof id !== "string" || !/^[\w-]{32}$/.test(id)) return undefined;
    // The record must contain the latest changes of this process.
    if (this.#local !== undefined) await this.#running.get(id)?.waitForChanges();
    const record = await this.#records.get(id);
    // The task has expired, or the store has lost it.
    if (record === undefined) this.#running.get(id)?.applyRecord(undefined);
    if (record?.owner !== getBinding(principal)) return undefined;
    this.#distribution?.recoverIfOrphaned(record);
    return record;
  }

  #describe(record: TaskRecord): object {
    if (isRecordDone(record)) this.#local?.markReported(record.id);
    return toTaskDetails(this.#running.get(record.id)?.withLatestMessage(record) ?? record);
  }

  /** Notifies the process that works on a task. If that fails, the process reads the task again later. */
  async #notifyWorker(record: TaskRecord): Promise<void> {
    this.#running.get(record.id)?.applyRecord(record);
    await this.#distribution?.notifyWorker(record).catch(() => {});
  }
}

/** Returns the error for a call that would exceed the maximum number of tasks, of all callers or of its own. */
function createTooManyTasksError(isOwn: boolean): ProtocolError {
  const message = isOwn ? "Too many of your tasks are in progress." : "Too many tasks are in progress.";
  return new ProtocolError(ErrorCode.InternalError, message, undefined, 503);
}

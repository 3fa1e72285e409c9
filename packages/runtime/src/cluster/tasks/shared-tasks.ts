import type { Principal } from "../../api/caller.js";
import { isProtocolError } from "../../api/errors.js";
import type { EffectStore } from "../../call/steps/effects.js";
import type { Call } from "../../call/connection/call.js";
import type { Dispatcher } from "../../call/connection/dispatcher.js";
import type {
  TaskWatch,
  FoundTask,
  ServerTasks,
  TaskSource,
  TaskSupport,
} from "../../call/tasks/server-tasks.js";
import { TaskRecords, TaskTooLargeError } from "../../call/tasks/task-records.js";
import type { TaskRun } from "../../call/tasks/task-run.js";
import { Tasks } from "../../call/tasks/tasks.js";
import { RecordTable } from "../../store/record-table.js";
import type { StoredRequest } from "../records/stored-request.js";
import type { Replica } from "../replicas/replica.js";
import { restoreCall, toTaskRequest } from "./restored-call.js";
import { TaskIndex } from "./task-index.js";
import { TaskQueue } from "./task-queue.js";
import { type Resume, TaskRecovery } from "./task-recovery.js";

/** The kind of message that notifies the process working on a task of a change. */
const CHANGED = "task-changed";

/** The interval at which tasks are read again, since messages may be lost, in milliseconds. */
const POLL_INTERVAL_MS = 15_000;

export interface SharedTasksOptions {
  readonly replica: Replica;
  readonly effects: EffectStore;
  readonly source: TaskSource;
}

/** The tasks of a server with several processes. If the process that works on a task crashes, another continues. */
export class SharedTasks implements ServerTasks {
  readonly #source: TaskSource;
  readonly #tasks: Tasks;
  readonly #recovery: TaskRecovery;
  readonly #poll: NodeJS.Timeout;
  opened: Promise<void> | undefined;
  #dispatcher: Dispatcher | undefined;
  #hasReportedUnknownTask = false;

  constructor({ replica, effects, source }: SharedTasksOptions) {
    const { executor, limits } = source;
    const { store } = replica;
    const toKey = (text: string): string => replica.toKey(text);
    const records = new TaskRecords({ store, toKey, maxBytes: limits.maxTaskBytes });
    const requests = new RecordTable<StoredRequest>({
      store,
      getKey: (id) => toKey(`task:{${id}}:call`),
      getTtlMs: () => limits.taskLifetimeMs,
      maxBytes: limits.maxTaskBytes,
      createTooLargeError: (bytes) => new TaskTooLargeError(bytes),
    });
    const index = new TaskIndex(replica, limits.taskLifetimeMs);
    const queue = executor && new TaskQueue(executor);
    this.#source = source;
    this.#recovery = new TaskRecovery({
      replica,
      records,
      requests,
      index,
      queue,
      hasRoomFor: (id) => this.#dispatcher !== undefined && this.#tasks.hasRoomFor(id),
      prepare: (request) => this.#prepare(request),
      onUnknown: () => this.#reportUnknownTask(),
    });
    this.#tasks = new Tasks(source, records, {
      processId: replica.id,
      prepare: async ({ id }, call) => {
        await Promise.all([requests.put(id, toTaskRequest(call)), index.add(id)]);
      },
      enqueue: queue && ((id) => queue.submit(id)),
      createRecorder: (ttlMs, isDone) => effects.createRecorder(ttlMs, isDone),
      recoverIfOrphaned: (record) => void this.#recovery.recover(record),
      notifyWorker: async ({ id, worker }) => {
        if (worker !== "" && worker !== replica.id) await replica.send(worker, CHANGED, id);
      },
    });
    replica.on(CHANGED, (id) => this.#tasks.refresh(id as string));
    replica.onMissed(() => this.#tasks.refreshAll());
    const poll = (): void => {
      this.#tasks.refreshAll();
      void this.#recovery.sweep();
    };
    this.#poll = setInterval(poll, POLL_INTERVAL_MS * (0.75 + Math.random() / 2)).unref();
  }

  start(dispatcher: Dispatcher): void {
    this.#dispatcher = dispatcher;
    const { executor, serverName, log } = this.#source;
    this.opened = executor?.start({
      serverName,
      log,
      run: (id, { isFinal }) => this.#runQueued(id, isFinal),
    });
    // The transport reports the error.
    this.opened?.catch(() => {});
  }

  serve(call: Call, support: TaskSupport, run: () => string | Promise<string>): string | Promise<string> {
    return this.#tasks.serve(call, support, run);
  }

  find(id: unknown, principal: Principal | undefined): Promise<FoundTask | undefined> {
    return this.#tasks.find(id, principal);
  }

  watch(...options: Parameters<ServerTasks["watch"]>): Promise<TaskWatch> {
    return this.#tasks.watch(...options);
  }

  async close(withinMs: number): Promise<void> {
    clearInterval(this.#poll);
    this.#dispatcher = undefined;
    const closed = this.#source.executor?.close();
    await this.#tasks.close(withinMs);
    await closed;
  }

  /** Works on a task that the queue has assigned to this process. */
  async #runQueued(id: string, isFinal: boolean): Promise<"done" | "interrupted"> {
    const run = await this.#recovery.take(id, isFinal);
    const end = (await run?.whenDone()) ?? "done";
    if (end === "failed") throw new Error("The handler failed with an internal error, which was logged.");
    return end;
  }

  #reportUnknownTask(): void {
    if (this.#hasReportedUnknownTask) return;
    this.#hasReportedUnknownTask = true;
    const msg =
      "The queue contained a task that is not in the store. It has expired or was lost, or a server with another store uses the same " +
      "queue and waits for it. Servers with different stores need different queues: set `queue` of bullmq(). Further such tasks are not logged.";
    this.#source.log({ level: "warn", event: "task-queue", msg });
  }

  /** Prepares to continue a task of another process. Its call passes all stages before its handler again. */
  #prepare(request: StoredRequest): Resume | undefined {
    const dispatcher = this.#dispatcher;
    const call = dispatcher && restoreCall(request, dispatcher);
    if (dispatcher === undefined || call === undefined) return undefined;
    return (record, isFinal = true) => {
      const run = this.#tasks.resume(call, record, !isFinal);
      void this.#serveAgain(dispatcher, call, run);
      return run;
    };
  }

  async #serveAgain(dispatcher: Dispatcher, call: Call, run: TaskRun): Promise<void> {
    try {
      const result = await dispatcher.dispatch(call);
      // The call was rejected before it reached its handler.
      if (this.#tasks.isWaiting(call)) run.complete(JSON.parse(result) as object);
    } catch (error) {
      if (!isProtocolError(error)) dispatcher.reportError(error, 'request "tools/call"', call);
      run.fail(error);
    }
    call.finish();
  }
}

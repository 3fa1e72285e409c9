import type { Principal } from "../../api/caller.js";
import { isProtocolError } from "../../api/errors.js";
import { randomBytes } from "../../encryption/node-crypto.js";
import { readStoredAnswer } from "../../ask/questions/read-stored-answer.js";
import { NOTHING_ASKED } from "../../ask/questions/transcript.js";
import type { Call } from "../../connection/call.js";
import type { Dispatcher } from "../../connection/connection.js";
import type { Invocation } from "../../connection/invocation.js";
import { bindingOf } from "../../connection/principal.js";
import type { EffectRecords } from "../../replicas/effect-records.js";
import type { Replica } from "../../replicas/replica.js";
import { tooManyTasks } from "../memory-tasks.js";
import { RunningHandlers } from "../running-handlers.js";
import { serveTask } from "../serve-task.js";
import type {
  FollowedTasks,
  FoundTask,
  ServerTasks,
  TaskRun,
  TaskSource,
  TaskSupport,
} from "../server-tasks.js";
import { readAnswer } from "../task-status.js";
import { FollowedRecords } from "./followed-records.js";
import { restoredCall, type StoredCall, storedCall } from "./stored-call.js";
import { StoredRun, type StoredRunOptions } from "./stored-run.js";
import { detailsOf, summaryOf, type TaskRecord, withAnswers, withEnd } from "./task-record.js";
import { TaskQueue } from "./task-queue.js";
import { TaskRecords } from "./task-records.js";
import { type Resume, TaskRescue } from "./task-rescue.js";

/** What tells the process at work on a task that the task has changed. */
const CHANGED = "task-changed";

/** How often tasks are polled, which may have changed though nobody said so, in milliseconds. */
const POLL_MS = 15_000;

/** The tasks of one server in its store: any of its processes answers for them, and one at a time is at work on each. */
export class StoredTasks implements ServerTasks {
  readonly #source: TaskSource;
  readonly #replica: Replica;
  readonly #effects: EffectRecords;
  readonly #records: TaskRecords;
  /** What this process is at work on, by task. */
  readonly #running = new Map<string, StoredRun>();
  readonly #handlers = new RunningHandlers();
  readonly #followed = new Set<FollowedRecords>();
  readonly #rescue: TaskRescue;
  /** Calls that are served anew, for these runs. */
  readonly #again = new WeakMap<Call, StoredRun>();
  readonly #queue: TaskQueue | undefined;
  readonly #pollTimer: NodeJS.Timeout;
  opened: Promise<void> | undefined;
  #dispatcher: Dispatcher | undefined;

  constructor(replica: Replica, effects: EffectRecords, source: TaskSource) {
    this.#source = source;
    this.#replica = replica;
    this.#effects = effects;
    this.#records = new TaskRecords(replica, source.limits);
    this.#queue = source.executor && new TaskQueue(source.executor);
    this.#rescue = new TaskRescue({
      queue: this.#queue,
      replica,
      records: this.#records,
      hasPlaceFor: (id) =>
        this.#dispatcher !== undefined && !this.#running.has(id) && this.#running.size < source.limits.tasks,
      prepare: (call) => this.#prepare(call),
    });
    replica.on(CHANGED, (id) => this.#refresh(id as string));
    replica.onGap(() => this.#refreshAll());
    this.#pollTimer = setInterval(() => this.#poll(), POLL_MS * (0.75 + Math.random() / 2)).unref();
  }

  start(dispatcher: Dispatcher): void {
    this.#dispatcher = dispatcher;
    const { executor, serverName, log } = this.#source;
    this.opened = executor?.start({ serverName, log, run: (id, { isLast }) => this.#work(id, isLast) });
    // Whoever serves hears of it.
    this.opened?.catch(() => {});
  }

  serve(
    invocation: Invocation,
    support: TaskSupport,
    run: () => string | Promise<string>,
  ): string | Promise<string> {
    const { write, inProgress } = this.#source;
    // What is a task already need not wait for its handler to become one.
    const each = this.#again.has(invocation.call) ? { ...support, start: "call" as const } : support;
    const begin = (begun: Invocation, start: TaskSupport["start"]): TaskRun => this.#begin(begun, start);
    return serveTask(invocation, each, { write, inProgress, handlers: this.#handlers, begin }, run);
  }

  async find(id: unknown, principal: Principal | undefined): Promise<FoundTask | undefined> {
    const record = await this.#find(id, principal);
    if (record === undefined) return undefined;
    return {
      details: detailsOf(record),
      answer: async (responses) => {
        const changed = await this.#records.change(record.id, (latest) =>
          withAnswers(latest, responses, (key, question, answer) => {
            const read = (given: unknown): unknown => readStoredAnswer(question, given, this.#source.forms);
            readAnswer({ read }, key, answer);
          }),
        );
        await this.#tellWorker(changed ?? record);
      },
      cancel: async () => {
        const changed = await this.#records.change(record.id, (latest) => withEnd(latest, "cancelled"));
        await this.#tellWorker(changed ?? record);
      },
    };
  }

  async follow(ids: readonly unknown[], principal: Principal | undefined): Promise<FollowedTasks> {
    const found = await Promise.all(ids.map((id) => this.#find(id, principal)));
    const records = found.flatMap((record) => record ?? []);
    const followed = new FollowedRecords(this.#records, records, {
      onRead: (record) => void this.#rescue.consider(record),
      onEnd: (each) => this.#followed.delete(each),
    });
    await followed.open();
    this.#followed.add(followed);
    return followed;
  }

  async close(withinMs: number): Promise<void> {
    clearInterval(this.#pollTimer);
    this.#dispatcher = undefined;
    const closed = this.#source.executor?.close();
    await Promise.all(
      Array.from(this.#running.values(), (run) => run.handOver("The server is shutting down.")),
    );
    await closed;
    await this.#handlers.settle(withinMs);
  }

  #begin({ call, asker }: Invocation, start: TaskSupport["start"]): TaskRun {
    const again = this.#again.get(call);
    if (again !== undefined) {
      this.#again.delete(call);
      return again;
    }
    const { taskMs, tasks } = this.#source.limits;
    if (this.#running.size >= tasks) throw tooManyTasks();
    // A handler that has begun goes on where it is.
    const isQueued = this.#queue !== undefined && start === "call";
    const now = new Date().toISOString();
    const { callId = globalThis.crypto.randomUUID(), asked, effects } = asker?.transcript ?? NOTHING_ASKED;
    const record: TaskRecord = {
      id: randomBytes(24).toString("base64url"),
      owner: bindingOf(call.peer.principal),
      status: "working",
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: taskMs,
      count: 1,
      worker: isQueued ? "" : this.#replica.id,
      run: isQueued ? 0 : 1,
      deaths: 0,
      callId,
      effects: [...effects].map(([key, result]) => (result === undefined ? [key] : [key, result])),
      // What was asked by the way and not waited for is asked again.
      asked: [...asked].filter(([, each]) => "answer" in each),
      open: {},
      outcome: {},
    };
    const kept = this.#records.create(record, storedCall(call));
    return isQueued ? this.#enqueue(record, kept) : this.#run({ call, record, earlier: asker, kept });
  }

  #enqueue(record: TaskRecord, kept: Promise<void>): TaskRun {
    const { id } = record;
    const enqueued = kept
      .then(() => this.#queue?.submit(id))
      .catch(async (error: unknown) => {
        // Nobody knows of it.
        await this.#records.change(id, (latest) => withEnd(latest, "cancelled")).catch(() => {});
        throw error;
      });
    return {
      summary: summaryOf(record),
      kept: enqueued,
      isElsewhere: true,
      report: () => {},
      complete: () => {},
      fail: () => {},
      onOver: (listener) => listener(),
    };
  }

  /** The queue has given a task to this process. */
  async #work(id: string, isLast: boolean): Promise<"done" | "handed-over"> {
    const run = await this.#rescue.take(id, isLast);
    const end = (await run?.whenOver()) ?? "done";
    if (end === "failed") throw new Error("The handler failed by an internal error, which the log has.");
    return end;
  }

  #run(options: Omit<StoredRunOptions, "forms" | "records" | "keeper">): StoredRun {
    const { record } = options;
    const run = new StoredRun({
      ...options,
      forms: this.#source.forms,
      records: this.#records,
      keeper: (isOver) => this.#effects.keeper(record.ttlMs, isOver),
    });
    this.#running.get(record.id)?.stop("Another run goes on with the task.");
    this.#running.set(record.id, run);
    run.onOver(() => {
      if (this.#running.get(record.id) === run) this.#running.delete(record.id);
    });
    return run;
  }

  async #find(id: unknown, principal: Principal | undefined): Promise<TaskRecord | undefined> {
    // Ids are made here: nothing else names a key.
    if (typeof id !== "string" || !/^[\w-]{32}$/.test(id)) return undefined;
    const record = await this.#records.get(id);
    if (record === undefined || record.owner !== bindingOf(principal)) return undefined;
    void this.#rescue.consider(record);
    return record;
  }

  /** Whoever is at work looks again by and by where it is not told now. */
  async #tellWorker({ id, worker }: TaskRecord): Promise<void> {
    if (worker === this.#replica.id) this.#refresh(id);
    else if (worker !== "") await this.#replica.tell(worker, CHANGED, id).catch(() => {});
  }

  #refresh(id: string): void {
    this.#running
      .get(id)
      ?.refresh()
      .catch(() => {});
  }

  /** Goes on with a task of another process: its call takes the way of any other to its handler. */
  #prepare(stored: StoredCall): Resume | undefined {
    const dispatcher = this.#dispatcher;
    if (dispatcher === undefined) return undefined;
    const call = restoredCall(stored, dispatcher);
    if (call === undefined) return undefined;
    return (record, isLast = true) => {
      const run = this.#run({ call, record, isRetried: !isLast });
      this.#again.set(call, run);
      run.onOver(() => call.session.close());
      void this.#serveAgain(dispatcher, call, run);
      return run;
    };
  }

  async #serveAgain(dispatcher: Dispatcher, call: Call, run: StoredRun): Promise<void> {
    try {
      const result = await dispatcher.dispatch(call);
      // It was refused on the way to its handler.
      if (this.#again.has(call)) run.complete(JSON.parse(result) as object);
    } catch (error) {
      if (!isProtocolError(error)) dispatcher.reportError(error, 'request "tools/call"', call);
      run.fail(error);
    }
    call.finish();
  }

  #poll(): void {
    this.#refreshAll();
    void this.#rescue.sweep();
  }

  #refreshAll(): void {
    for (const id of this.#running.keys()) this.#refresh(id);
    for (const followed of this.#followed) void followed.refresh();
  }
}

import type { ProtocolError } from "../../api/errors.js";
import { ToolError } from "../../api/errors.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import type { RecordChange } from "../../store/record-table.js";
import { sleep } from "../../store/retry.js";
import type { InputRequester, Question } from "../questions/question.js";
import type { Forms } from "../questions/served-form.js";
import type { AskedQuestion } from "../questions/transcript.js";
import type { RecordEffect } from "../steps/effects.js";
import type { Call } from "../connection/call.js";
import type { DurableQuestion, QuestionReply } from "../durable/durable-record.js";
import { DurableRun, createRunDoneError, type RunEnd } from "../durable/durable-run.js";
import type { StartedTask } from "./server-tasks.js";
import { StatusMessages } from "./status-messages.js";
import {
  isRecordDone,
  type TaskRecord,
  toTaskSummary,
  getRemainingMs,
  withEnd,
  withInputRequired,
  withoutWorker,
  withStatusMessage,
} from "./task-record.js";
import { type TaskRecords, TaskTooLargeError } from "./task-records.js";
import { readAnswer, toTaskError } from "./task-status.js";

/** The time within which a store must record that a task is handed over, in milliseconds. */
const HAND_OVER_TIMEOUT_MS = 2000;

const END_REASONS: Record<RunEnd, string> = {
  concluded: "The task has ended.",
  "taken-over": "Another process continues the task.",
  lost: "The task has expired.",
  done: "The task has ended.",
};

export interface TaskRunOptions {
  readonly call: Call;
  readonly forms: Forms;
  readonly records: TaskRecords;
  /** The record when this run begins. */
  readonly record: TaskRecord;
  /** Writes the record of a new task. */
  readonly write?: () => Promise<void>;
  /** The input requester before the call became a task. */
  readonly earlierRequester?: InputRequester | undefined;
  /** The questions of this run before the call became a task. */
  readonly askedBefore?: ReadonlyMap<string, AskedQuestion>;
  /** Whether a handler that fails with an internal error runs again. */
  readonly isRetried?: boolean;
  /** Returns a function that records the effects of this run for other processes; see `EffectStore`. */
  readonly createRecorder?: (isDone: () => boolean) => RecordEffect;
}

/**
 * How a run ended: with the task (or because another run has the task), because this process stops, or because its
 * handler failed and will run again.
 */
export type TaskRunEnd = "done" | "interrupted" | "failed";

/** One run of the handler of a task. Clients receive its questions with the task. */
export class TaskRun extends DurableRun<TaskRecord> implements StartedTask {
  readonly id: string;
  /** The principal of the call, as in the record. */
  readonly owner: string;
  readonly summary: object;
  readonly recorded?: Promise<void>;
  readonly #options: TaskRunOptions;
  readonly #recordEffect: RecordEffect | undefined;
  // A message that is too long for the record is omitted.
  readonly #messages = new StatusMessages((message) =>
    this.#change((record) => withStatusMessage(record, message)).catch(() => {}),
  );
  readonly #expiry: NodeJS.Timeout;
  #isRecorded: boolean;
  #runEnd: TaskRunEnd = "done";
  /** Whether the handler has returned or thrown, so that nothing is left to abort. */
  #hasReturned = false;
  /** The reason why this run was stopped. */
  #reason: string | undefined;
  /** The reason why the client can no longer answer. */
  #rejectionReason: string | undefined;

  constructor(options: TaskRunOptions) {
    super(options);
    const { record, write, createRecorder } = options;
    this.#options = options;
    this.id = record.id;
    this.owner = record.owner;
    this.summary = toTaskSummary(record);
    this.#recordEffect = createRecorder?.(() => this.isDone);
    this.#isRecorded = write === undefined;
    if (write !== undefined) {
      this.recorded = this.createRecord(() => record, write).then(() => {
        this.#isRecorded = true;
      });
      this.recorded.catch(() => this.stop("The task could not be stored."));
    }
    const leftMs = Math.max(0, getRemainingMs(record));
    this.#expiry = setTimeout(() => this.stop("The task took too long."), leftMs).unref();
  }

  get inputRequester(): InputRequester {
    return this;
  }

  /** Returns the task with the latest report of its handler, which may not be recorded yet. */
  withLatestMessage(record: TaskRecord): TaskRecord {
    const { latest } = this.#messages;
    return latest === undefined || isRecordDone(record) ? record : { ...record, statusMessage: latest };
  }

  report(message: string): void {
    this.#messages.add(message);
  }

  complete(result: object): void {
    this.#hasReturned = true;
    // The notes have a reference if an internal error was reported.
    if (this.#options.isRetried === true && this.call.notes?.reference !== undefined)
      void this.#release("failed");
    else void this.#conclude("completed", { result });
  }

  /** Fails the task with the JSON-RPC error that a call would have received. A failed tool completes with `isError`. */
  fail(error: unknown): void {
    this.#hasReturned = true;
    void this.#conclude("failed", { error: toTaskError(error) });
  }

  /** Resolves when the run has ended. */
  async whenDone(): Promise<TaskRunEnd> {
    await new Promise<void>((resolve) => this.onDone(resolve));
    return this.#runEnd;
  }

  override async refresh(): Promise<void> {
    await this.recorded;
    await super.refresh();
  }

  /** Consumes the state of the request that began the task. Later runs have none. */
  async consumeState(): Promise<void> {
    await this.#options.earlierRequester?.consumeState?.();
  }

  /** Lets any process continue the task. */
  async handOver(reason: string): Promise<void> {
    const released = this.#release("interrupted");
    this.call.abort(reason);
    await Promise.race([released, sleep(HAND_OVER_TIMEOUT_MS)]);
    this.stop(reason);
  }

  /** Ends the run in this process. The task stays as it is. */
  stop(reason: string): void {
    this.#reason = reason;
    this.end("done");
  }

  /** Fails the task if it waits for an answer, now or later, since the client can no longer answer. */
  rejectQuestions(reason: string): void {
    this.#rejectionReason = reason;
    if (this.isAsking) this.abandon(reason);
  }

  /** Aborts the handler's signal, and fails the task. */
  abandon(reason: string): void {
    const error = { code: ErrorCode.InternalError, message: reason };
    this.#reason = reason;
    void this.#conclude("failed", { error });
  }

  protected readRecord(): Promise<TaskRecord | undefined> {
    return this.#options.records.get(this.id);
  }

  protected changeRecord(
    change: (record: TaskRecord | undefined) => TaskRecord | undefined,
  ): Promise<RecordChange<TaskRecord>> {
    return this.#options.records.change(this.id, change);
  }

  protected recordQuestions(): Promise<void> {
    if (this.#rejectionReason !== undefined) this.abandon(this.#rejectionReason);
    return this.#change((record) => this.addQuestions(record));
  }

  protected override addQuestions(record: TaskRecord): TaskRecord | undefined {
    const next = super.addQuestions(record);
    return next && withInputRequired(next);
  }

  protected isConcluded(record: TaskRecord): boolean {
    return isRecordDone(record);
  }

  protected describe({ method, params, form }: Question<unknown>): Partial<DurableQuestion> {
    return { request: { method, params, form } };
  }

  protected read<Answer>(question: Question<Answer>, reply: QuestionReply, key: string): Answer {
    if ("rejection" in reply) throw new ToolError(reply.rejection);
    return readAnswer((answer) => question.read(answer), key, reply.result);
  }

  protected override recordEffect(...effect: Parameters<RecordEffect>): ReturnType<RecordEffect> {
    return this.#recordEffect?.(...effect) ?? super.recordEffect(...effect);
  }

  protected async endWith(error: ProtocolError): Promise<never> {
    await this.#conclude("failed", { error: toTaskError(error) });
    throw createRunDoneError();
  }

  protected onEnd(end: RunEnd): void {
    clearTimeout(this.#expiry);
    this.#messages.end();
    const reason = this.#reason ?? END_REASONS[end];
    // The client of a task that is not recorded still waits for a response.
    if (!this.#isRecorded) this.call.abort(reason);
    else if (this.#hasReturned) this.call.finish();
    else this.call.cancel(reason);
  }

  /** Ends the run, so that another run continues the task. */
  async #release(end: TaskRunEnd): Promise<void> {
    this.#runEnd = end;
    await this.#change(withoutWorker).catch(() => {});
    this.stop("The task continues in another run.");
  }

  async #conclude(
    status: "completed" | "failed",
    outcome: { result?: object; error?: object },
  ): Promise<void> {
    try {
      await this.#change((record) => withEnd(record, status, outcome));
    } catch (error) {
      if (error instanceof TaskTooLargeError) await this.#conclude("failed", { error: toTaskError(error) });
    }
    this.end("done");
  }

  /**
   * Changes the record of the task.
   *
   * @throws TaskTooLargeError, or the error that kept the task from being recorded
   */
  #change(change: (record: TaskRecord) => TaskRecord | undefined): Promise<void> {
    return this.change(change, { isFinal: (error) => error instanceof TaskTooLargeError });
  }
}

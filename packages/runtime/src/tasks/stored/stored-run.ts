import type { Asker, Question } from "../../ask/questions/question.js";
import type { KeepEffect } from "../../ask/once/once.js";
import type { Forms } from "../../ask/questions/served-form.js";
import type { Asked } from "../../ask/questions/transcript.js";
import type { Call } from "../../connection/call.js";
import type { TaskRun } from "../server-tasks.js";
import { StatusMessages } from "../status-messages.js";
import { overError, readAnswer, taskError } from "../task-status.js";
import { StoredTaskAsker, type TaskQuestions } from "./stored-task-asker.js";
import {
  isRecordOver,
  summaryOf,
  type TaskRecord,
  timeLeft,
  withEnd,
  withoutWorker,
  withQuestion,
  withStatusMessage,
} from "./task-record.js";
import { type TaskRecords, TaskTooLargeError } from "./task-records.js";

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

/** What a store may take for the last word on a task, in milliseconds. */
const HAND_OVER_MS = 2000;

interface Waiting {
  readonly asked: Asked;
  readonly question: Question<unknown>;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

export interface StoredRunOptions {
  readonly call: Call;
  readonly forms: Forms;
  readonly records: TaskRecords;
  /** The task as this run begins. */
  readonly record: TaskRecord;
  /** Resolves when it is in the store. */
  readonly kept?: Promise<void>;
  /** What the handler asked by before its call became a task. */
  readonly earlier?: Asker | undefined;
  /** A handler that fails by an internal error is run again. */
  readonly isRetried?: boolean;
  /** @param isOver true when nobody waits for the run any more */
  keeper(isOver: () => boolean): KeepEffect;
}

/**
 * How a run ended: with the task (or because another has the task), because this process stops, or because its handler
 * failed that is to be run again.
 */
export type RunEnd = "done" | "handed-over" | "failed";

/**
 * One run of the handler of a task in the store. As soon as another process goes on with the task, this one changes
 * nothing any more, whatever its handler does.
 */
export class StoredRun implements TaskRun, TaskQuestions {
  readonly asker: Asker;
  readonly kept?: Promise<void>;
  readonly #call: Call;
  readonly #records: TaskRecords;
  readonly #waiting = new Map<string, Waiting>();
  // What is too long to be kept is left out.
  readonly #messages = new StatusMessages((message) =>
    this.#change((record) => withStatusMessage(record, message)).catch(() => {}),
  );
  readonly #listeners: (() => void)[] = [];
  readonly #isRetried: boolean;
  readonly #expiry: NodeJS.Timeout;
  /** Changes are made one after the other. */
  #changes: Promise<unknown>;
  #record: TaskRecord;
  #end: RunEnd = "done";
  #isKept = false;
  #isOver = false;

  constructor({ call, forms, records, record, kept, earlier, isRetried = false, keeper }: StoredRunOptions) {
    this.#call = call;
    this.#records = records;
    this.#record = record;
    this.#isRetried = isRetried;
    if (kept !== undefined) this.kept = kept;
    this.#changes = Promise.resolve(kept).then(() => {
      this.#isKept = true;
    });
    this.#changes.catch(() => this.stop("The task could not be kept."));
    const keep = keeper(() => this.#isOver);
    this.asker = new StoredTaskAsker(call, forms, this, record, keep, earlier);
    this.#expiry = setTimeout(
      () => this.stop("The task took too long."),
      Math.max(0, timeLeft(record)),
    ).unref();
  }

  get summary(): object {
    return summaryOf(this.#record);
  }

  report(message: string): void {
    this.#messages.add(message);
  }

  complete(result: object): void {
    // Whoever has reported an internal error has noted under which reference.
    if (this.#isRetried && this.#call.notes?.reference !== undefined) void this.#leave("failed");
    else void this.#finish("completed", { result });
  }

  /** Resolves when the run is over. */
  async whenOver(): Promise<RunEnd> {
    if (!this.#isOver) await new Promise<void>((resolve) => this.onOver(resolve));
    return this.#end;
  }

  fail(error: unknown): void {
    void this.#finish("failed", { error: taskError(error) });
  }

  onOver(listener: () => void): void {
    if (this.#isOver) listener();
    else this.#listeners.push(listener);
  }

  async giveUp(error: Error): Promise<never> {
    await this.#finish("failed", { error: taskError(error) });
    this.#call.cancel(error.message);
    throw overError();
  }

  ask<Answer>(key: string, asked: Asked, question: Question<Answer>): Promise<Answer> {
    if (this.#isOver) return Promise.reject(overError());
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(key, { asked, question, resolve, reject });
    });
    this.#change((record) => this.#withQuestions(record)).catch((error: unknown) => {
      this.#waiting.get(key)?.reject(error);
      this.#waiting.delete(key);
    });
    return answer as Promise<Answer>;
  }

  /** The task may have been changed by another process. */
  async refresh(): Promise<void> {
    await this.kept;
    if (this.#isOver) return;
    const record = await this.#records.get(this.#record.id);
    if (record !== undefined) this.#take(record);
  }

  /** Leaves the task to whoever is asked for it next. */
  async handOver(reason: string): Promise<void> {
    const left = this.#leave("handed-over");
    this.#call.leave(reason);
    await Promise.race([left, sleep(HAND_OVER_MS)]);
    this.stop(reason);
  }

  /** Ends the run here; the task itself stays as it is. */
  stop(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#expiry);
    this.#messages.end();
    // A call that is not acknowledged is owed an answer.
    if (this.#isKept) this.#call.cancel(reason);
    else this.#call.leave(reason);
    for (const { reject } of this.#waiting.values()) reject(overError());
    this.#waiting.clear();
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** Whoever the task is given to goes on. */
  async #leave(end: RunEnd): Promise<void> {
    this.#end = end;
    await this.#change(withoutWorker).catch(() => {});
    this.stop("The task goes on in another run.");
  }

  async #finish(status: "completed" | "failed", outcome: { result?: object; error?: object }): Promise<void> {
    try {
      await this.#change((record) => withEnd(record, status, outcome));
    } catch (error) {
      if (error instanceof TaskTooLargeError) await this.#finish("failed", { error: taskError(error) });
    }
    this.stop("The task is over.");
  }

  /**
   * Changes the task, as long as this run is the one at work: now, or as soon as the store can be asked again.
   *
   * @throws TaskTooLargeError, and what the task could not be kept for
   */
  #change(change: (record: TaskRecord) => TaskRecord | undefined): Promise<void> {
    const changed = this.#changes.then(() => this.#insist(change));
    this.#changes = changed.catch(() => {});
    return changed;
  }

  async #insist(change: (record: TaskRecord) => TaskRecord | undefined): Promise<void> {
    for (let retryMs = FIRST_RETRY_MS; !this.#isOver; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      try {
        let found: TaskRecord | undefined;
        const next = await this.#records.change(this.#record.id, (record) => {
          found = record;
          return this.#isAtWork(record) ? change(record) : undefined;
        });
        const latest = next ?? found;
        if (latest === undefined) this.stop("The task has expired.");
        else this.#take(latest);
        return;
      } catch (error) {
        if (error instanceof TaskTooLargeError) throw error;
        await sleep(retryMs * (0.5 + Math.random()));
      }
    }
  }

  /** What is asked side by side is kept together. */
  #withQuestions(record: TaskRecord): TaskRecord | undefined {
    let changed = record;
    for (const [key, { asked, question }] of this.#waiting) {
      const { method, params, form } = question;
      changed = withQuestion(changed, key, asked, { method, params, form }) ?? changed;
    }
    return changed === record ? undefined : changed;
  }

  #isAtWork({ worker, run }: TaskRecord): boolean {
    return worker === this.#record.worker && run === this.#record.run;
  }

  #take(record: TaskRecord): void {
    if (this.#isOver || record.count <= this.#record.count) return;
    if (!this.#isAtWork(record)) return this.stop("Another process goes on with the task.");
    this.#record = record;
    if (isRecordOver(record)) return this.stop("The task is over.");
    for (const [key, { answer }] of record.asked) {
      const waiting = this.#waiting.get(key);
      if (answer === undefined || waiting === undefined) continue;
      this.#waiting.delete(key);
      try {
        waiting.resolve(readAnswer(waiting.question, key, answer));
      } catch (error) {
        waiting.reject(error);
      }
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

import type { Question } from "../ask/questions/question.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { randomBytes } from "../encryption/node-crypto.js";
import { StatusMessages } from "./status-messages.js";
import {
  isOver,
  overError,
  POLL_INTERVAL_MS,
  readAnswer,
  taskError,
  type TaskStatus,
} from "./task-status.js";

interface Waiting {
  readonly question: Question<unknown>;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

export interface TaskOptions {
  /** On whose behalf it was started (`bindingOf`); it does not exist for any other principal. */
  owner: string;
  /** How long it is kept, counted from its beginning, in milliseconds. */
  ttlMs: number;
  /** Tells the handler to stop. What it gives all the same is the task's result. */
  leave(reason: string): void;
  /** The same, and nobody waits for what it gives. */
  stop(reason: string): void;
}

/** A call that goes on after it was answered, and its status. */
export class Task {
  /** It cannot be guessed: for the same principal, it is all that is needed to ask for the task. */
  readonly id = randomBytes(24).toString("base64url");
  readonly owner: string;
  readonly #ttlMs: number;
  readonly #leave: (reason: string) => void;
  readonly #stop: (reason: string) => void;
  readonly #createdAt = new Date().toISOString();
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<() => void>();
  readonly #usedKeys = new Set<string>();
  #lastUpdatedAt = this.#createdAt;
  #status: TaskStatus = "working";
  #statusMessage: string | undefined;
  readonly #messages = new StatusMessages(() => this.#become(this.#status));
  /** What the status brings along. */
  #outcome: { result?: object; error?: object } = {};
  #endedAt: number | undefined;
  #isEndKnown = false;
  /** Why nobody can answer any more. */
  #finished: string | undefined;
  readonly #onEndKnown: (() => void)[] = [];

  constructor({ owner, ttlMs, leave, stop }: TaskOptions) {
    this.owner = owner;
    this.#ttlMs = ttlMs;
    this.#leave = leave;
    this.#stop = stop;
  }

  get status(): TaskStatus {
    return this.#status;
  }

  get isOver(): boolean {
    return isOver(this.#status);
  }

  /** A `Task` of the specification's. */
  get summary(): object {
    return {
      taskId: this.id,
      status: this.#status,
      ...(this.#statusMessage !== undefined && { statusMessage: this.#statusMessage }),
      createdAt: this.#createdAt,
      lastUpdatedAt: this.#lastUpdatedAt,
      ttlMs: this.#ttlMs,
      pollIntervalMs: POLL_INTERVAL_MS,
    };
  }

  /** For so many milliseconds it has been over without its client being told; 0 while it is not, or once that is known. */
  get unknownForMs(): number {
    return this.#endedAt === undefined || this.#isEndKnown ? 0 : performance.now() - this.#endedAt;
  }

  /** A `DetailedTask`, for its client: with the result, the error or the open questions. */
  get details(): object {
    if (this.isOver) this.#endKnown();
    if (this.#status !== "input_required") return { ...this.summary, ...this.#outcome };
    const requests = [...this.#waiting].map(
      ([
        key,
        {
          question: { method, params },
        },
      ]) => [key, { method, params }],
    );
    return { ...this.summary, inputRequests: Object.fromEntries(requests) as object };
  }

  /** Calls back after every change of what there is to tell; returns what ends that, and says whether it had still to. */
  onChange(listener: () => void): () => boolean {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the client has been told how the task ended. */
  async whenEndKnown(): Promise<void> {
    if (!this.#isEndKnown) await new Promise<void>((resolve) => this.#onEndKnown.push(resolve));
  }

  /** Resolves when the task is over. */
  async whenOver(): Promise<void> {
    if (this.isOver) return;
    await new Promise<void>((resolve) => {
      const remove = this.onChange(() => {
        if (this.isOver && remove()) resolve();
      });
    });
  }

  /** What its handler is at. Clients that look see it at once, those that follow the task are told now and then. */
  report(message: string): void {
    if (this.isOver) return;
    this.#statusMessage = message;
    this.#lastUpdatedAt = new Date().toISOString();
    this.#messages.add(message);
  }

  /** Puts a question among those that clients find when they ask for the task. */
  ask<Answer>(question: Question<Answer>): Promise<Answer> {
    if (this.#finished !== undefined) this.abandon(this.#finished);
    if (this.isOver) return Promise.reject(overError());
    const stem = question.key ?? question.kind;
    let key = question.key ?? `${stem}-1`;
    for (let count = 2; this.#usedKeys.has(key); count++) key = `${stem}-${count}`;
    this.#usedKeys.add(key);
    return new Promise((resolve, reject) => {
      this.#waiting.set(key, { question, resolve: resolve as (answer: unknown) => void, reject });
      this.#become("input_required");
    });
  }

  /**
   * Takes answers; those to questions that are not open are ignored.
   *
   * @throws ProtocolError when an answer is none to its question; nothing is taken then
   */
  answer(responses: Record<string, unknown>): void {
    const answered = [...this.#waiting].flatMap(([key, waiting]) => {
      if (!Object.hasOwn(responses, key)) return [];
      return [{ key, resolve: waiting.resolve, value: readAnswer(waiting.question, key, responses[key]) }];
    });
    for (const { key, resolve, value } of answered) {
      this.#waiting.delete(key);
      resolve(value);
    }
    if (answered.length > 0) this.#become(this.#waiting.size > 0 ? "input_required" : "working");
  }

  /** @param result as the call itself would have been answered */
  complete(result: object): void {
    this.#end("completed", { result });
  }

  /** For what would have been a JSON-RPC error; a failed tool completes with `isError`. */
  fail(error: unknown): void {
    this.#end("failed", { error: taskError(error) });
  }

  /** Nobody can answer any more: fails if it waits for an answer, now or later. */
  finish(reason: string): void {
    this.#finished = reason;
    if (this.#status === "input_required") this.abandon(reason);
  }

  /** Tells the handler to stop; what it gives all the same is the result. */
  leave(reason: string): void {
    if (!this.isOver) this.#leave(reason);
  }

  /** Tells the handler to stop, and fails at once. */
  abandon(reason: string): void {
    if (this.isOver) return;
    this.#end("failed", { error: { code: ErrorCode.InternalError, message: reason } });
    this.#stop(reason);
  }

  /** A task that is over stays as it is. */
  cancel(reason: string): void {
    if (this.isOver) return;
    this.#end("cancelled", {});
    this.#stop(reason);
  }

  #endKnown(): void {
    this.#isEndKnown = true;
    for (const resolve of this.#onEndKnown.splice(0)) resolve();
  }

  #end(status: TaskStatus, outcome: { result?: object; error?: object }): void {
    if (this.isOver) return;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#outcome = outcome;
    this.#statusMessage = undefined;
    this.#messages.end();
    this.#endedAt = performance.now();
    this.#become(status);
    for (const { reject } of waiting) reject(overError());
  }

  #become(status: TaskStatus): void {
    this.#status = status;
    this.#lastUpdatedAt = new Date().toISOString();
    for (const listener of this.#listeners) listener();
  }
}

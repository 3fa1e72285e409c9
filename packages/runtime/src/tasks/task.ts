import type { Question } from "../ask/questions/question.js";
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
  /** Tells the handler to stop. */
  stop(reason: string): void;
}

/** A call that goes on after it was answered, and its status. */
export class Task {
  /** It cannot be guessed: for the same principal, it is all that is needed to ask for the task. */
  readonly id = randomBytes(24).toString("base64url");
  readonly owner: string;
  readonly #ttlMs: number;
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

  constructor({ owner, ttlMs, stop }: TaskOptions) {
    this.owner = owner;
    this.#ttlMs = ttlMs;
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

  /** A `DetailedTask`: with the result, the error or the open questions. */
  get details(): object {
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

  /** What its handler is at. Clients that look see it at once, those that follow the task are told now and then. */
  report(message: string): void {
    if (this.isOver) return;
    this.#statusMessage = message;
    this.#lastUpdatedAt = new Date().toISOString();
    this.#messages.add(message);
  }

  /** Puts a question among those that clients find when they ask for the task. */
  ask<Answer>(question: Question<Answer>): Promise<Answer> {
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

  /** A task that is over stays as it is. */
  cancel(reason: string): void {
    if (this.isOver) return;
    this.#end("cancelled", {});
    this.#stop(reason);
  }

  #end(status: TaskStatus, outcome: { result?: object; error?: object }): void {
    if (this.isOver) return;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#outcome = outcome;
    this.#statusMessage = undefined;
    this.#messages.end();
    this.#become(status);
    for (const { reject } of waiting) reject(overError());
  }

  #become(status: TaskStatus): void {
    this.#status = status;
    this.#lastUpdatedAt = new Date().toISOString();
    for (const listener of this.#listeners) listener();
  }
}

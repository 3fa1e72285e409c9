/**
 * The record of a task in a store, and its changes.
 * @module
 */
import * as ErrorCode from "../../protocol/error-codes.js";
import type { DurableQuestion, DurableRecord } from "../durable/durable-record.js";
import * as durable from "../durable/durable-record.js";
import type { StoredQuestion } from "../questions/read-stored-answer.js";
import { isDone, POLL_INTERVAL_MS, type TaskOutcome, type TaskStatus } from "./task-status.js";

export interface TaskRecord extends DurableRecord {
  readonly id: string;
  /** The principal of the call (`getBinding`). The task does not exist for any other. */
  readonly owner: string;
  /** The tool whose call became the task. The owner needs access to it for the result, too. */
  readonly tool?: string | undefined;
  /** The scopes of the tool. The owner needs them for its result, too. */
  readonly scopes?: readonly string[] | undefined;
  /** The arguments of the call, if the author's `authorize` decides based on them. The owner needs that access, too. */
  readonly arguments?: unknown;
  readonly status: TaskStatus;
  /** The handler's latest progress report. Absent after the task has ended. */
  readonly statusMessage?: string | undefined;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** The lifetime of the task, counted from its creation, in milliseconds. */
  readonly ttlMs: number;
  readonly outcome: TaskOutcome;
}

function withTaskChange(record: TaskRecord, change: Partial<TaskRecord>): TaskRecord {
  return durable.withChange(record, { ...change, lastUpdatedAt: new Date().toISOString() });
}

/** Returns whether the task has ended. */
export function isRecordDone({ status }: TaskRecord): boolean {
  return isDone(status);
}

/** Returns the rest of the task's lifetime, in milliseconds. */
export function getRemainingMs({ createdAt, ttlMs }: TaskRecord): number {
  return Date.parse(createdAt) + ttlMs - Date.now();
}

/** Returns the questions without an answer, by key. */
function findOpenQuestions({ asked }: TaskRecord): ReadonlyMap<string, StoredQuestion> {
  const isOpen = ([, { reply }]: readonly [string, DurableQuestion]): boolean => reply === undefined;
  return new Map(
    asked.filter(isOpen).flatMap(([key, { request }]) => (request === undefined ? [] : [[key, request]])),
  );
}

/** Sets the status to `input_required`. */
export function withInputRequired(record: TaskRecord): TaskRecord {
  return { ...record, status: "input_required", lastUpdatedAt: new Date().toISOString() };
}

/**
 * Adds the client's answers. Answers to questions that are not open are ignored.
 *
 * @param check throws for an answer that does not fit its question
 * @returns undefined if there is no answer to an open question
 */
export function withAnswers(
  record: TaskRecord,
  responses: Record<string, unknown>,
  check: (key: string, question: StoredQuestion, answer: unknown) => void,
): TaskRecord | undefined {
  if (isRecordDone(record)) return undefined;
  const answered = [...findOpenQuestions(record)].filter(([key]) => Object.hasOwn(responses, key));
  if (answered.length === 0) return undefined;
  for (const [key, question] of answered) check(key, question, responses[key]);
  let next = record;
  for (const [key] of answered) next = durable.withReply(next, key, { result: responses[key] }) ?? next;
  return withTaskChange(next, { status: findOpenQuestions(next).size > 0 ? "input_required" : "working" });
}

/** Returns the record with another status message; undefined if the task has ended. */
export function withStatusMessage(record: TaskRecord, statusMessage: string): TaskRecord | undefined {
  return isRecordDone(record) ? undefined : withTaskChange(record, { statusMessage });
}

/** Ends the task, and removes its questions and effects. */
export function withEnd(
  record: TaskRecord,
  status: "completed" | "failed" | "cancelled",
  outcome: TaskOutcome = {},
): TaskRecord | undefined {
  if (isRecordDone(record)) return undefined;
  return withTaskChange(record, { status, statusMessage: undefined, outcome, asked: [], effects: [] });
}

/** Begins another run of the handler, or fails the task after too many crashes. */
export function withNextRun(record: TaskRecord, worker: string): TaskRecord | undefined {
  if (isRecordDone(record)) return undefined;
  const next = durable.withNextRun(record, worker);
  if (next !== undefined) return withTaskChange(next, {});
  const message = `The task failed because ${durable.MAX_CRASHES} processes crashed while they worked on it.`;
  return withEnd(record, "failed", { error: { code: ErrorCode.InternalError, message } });
}

/** Lets any process continue the task. */
export function withoutWorker(record: TaskRecord): TaskRecord | undefined {
  return isRecordDone(record) ? undefined : withTaskChange(durable.withoutWorker(record), {});
}

/** Returns a `Task` of the specification. */
export function toTaskSummary(record: TaskRecord): object {
  const { id, status, statusMessage, createdAt, lastUpdatedAt, ttlMs } = record;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** Returns a `DetailedTask` of the specification: with the result, the error, or the open questions. */
export function toTaskDetails(record: TaskRecord): object {
  const summary = toTaskSummary(record);
  if (record.status !== "input_required") return { ...summary, ...record.outcome };
  const requests = [...findOpenQuestions(record)].map(([key, { method, params }]) => [
    key,
    { method, params },
  ]);
  return { ...summary, inputRequests: Object.fromEntries(requests) as object };
}

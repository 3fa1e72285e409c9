/**
 * What a store has of a task, and how it changes: each change is made of the one before, and none follows a status that
 * is final.
 * @module
 */
import type { StoredQuestion } from "../../ask/questions/read-stored-answer.js";
import type { Asked } from "../../ask/questions/transcript.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { isOver, POLL_INTERVAL_MS, type TaskOutcome, type TaskStatus } from "../task-status.js";

export interface TaskRecord {
  readonly id: string;
  /** On whose behalf it was started (`bindingOf`); it does not exist for any other principal. */
  readonly owner: string;
  readonly status: TaskStatus;
  /** What its handler said last of how far it is; none once it is over. */
  readonly statusMessage?: string | undefined;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long it is kept, counted from its beginning, in milliseconds. */
  readonly ttlMs: number;
  /** Grows with each change. */
  readonly count: number;
  /** The replica at work; empty while none is. */
  readonly worker: string;
  /** Which run of the handler it is at. No other may change it. */
  readonly run: number;
  /** How many processes have died at work on it. */
  readonly deaths: number;
  /** What all runs have in common; see `Transcript`. */
  readonly callId: string;
  /** What was done once before the call became a task; later effects are kept by themselves. */
  readonly effects: readonly (readonly [string, unknown?])[];
  readonly asked: readonly (readonly [string, Asked])[];
  readonly open: Readonly<Record<string, StoredQuestion>>;
  readonly outcome: TaskOutcome;
}

/** What changes with a change. */
type Change = Partial<
  Pick<TaskRecord, "status" | "statusMessage" | "asked" | "open" | "outcome" | "worker" | "run" | "deaths">
>;

function changed(record: TaskRecord, change: Change): TaskRecord {
  return { ...record, ...change, count: record.count + 1, lastUpdatedAt: new Date().toISOString() };
}

/** True when nothing follows. */
export function isRecordOver({ status }: TaskRecord): boolean {
  return isOver(status);
}

/** What is left of its time, in milliseconds. */
export function timeLeft({ createdAt, ttlMs }: TaskRecord): number {
  return Date.parse(createdAt) + ttlMs - Date.now();
}

/**
 * The handler asks something.
 *
 * @returns undefined when it has been asked already
 */
export function withQuestion(
  record: TaskRecord,
  key: string,
  asked: Asked,
  question: StoredQuestion,
): TaskRecord | undefined {
  if (record.asked.some(([each]) => each === key)) return undefined;
  return changed(record, {
    status: "input_required",
    asked: [...record.asked, [key, asked]],
    open: { ...record.open, [key]: question },
  });
}

/**
 * The client answers; what is not open is ignored.
 *
 * @param check throws when an answer is none
 * @returns undefined when nothing is answered
 */
export function withAnswers(
  record: TaskRecord,
  responses: Record<string, unknown>,
  check: (key: string, question: StoredQuestion, answer: unknown) => void,
): TaskRecord | undefined {
  const answered = Object.entries(record.open).filter(([key]) => Object.hasOwn(responses, key));
  if (answered.length === 0 || isRecordOver(record)) return undefined;
  for (const [key, question] of answered) check(key, question, responses[key]);
  const keys = new Set(answered.map(([key]) => key));
  const open = Object.fromEntries(Object.entries(record.open).filter(([key]) => !keys.has(key)));
  return changed(record, {
    status: Object.keys(open).length > 0 ? "input_required" : "working",
    asked: record.asked.map(([key, asked]) => [
      key,
      keys.has(key) ? { ...asked, answer: responses[key] } : asked,
    ]),
    open,
  });
}

/** The handler says how far it is. */
export function withStatusMessage(record: TaskRecord, statusMessage: string): TaskRecord | undefined {
  return isRecordOver(record) ? undefined : changed(record, { statusMessage });
}

/** It is over: nobody has to know any more how it came about. */
export function withEnd(
  record: TaskRecord,
  status: "completed" | "failed" | "cancelled",
  outcome: TaskOutcome = {},
): TaskRecord | undefined {
  if (isRecordOver(record)) return undefined;
  return {
    ...changed(record, { status, statusMessage: undefined, outcome, asked: [], open: {} }),
    effects: [],
  };
}

/** How many processes may die at work on one task: it may be what they die of. */
const MOST_DEATHS = 3;

/** Another run of the handler begins. A process that gave the task up of its own accord has not died of it. */
export function withNextRun(record: TaskRecord, worker: string): TaskRecord | undefined {
  if (isRecordOver(record)) return undefined;
  const hasDied = record.worker !== "" && record.worker !== worker;
  const deaths = record.deaths + (hasDied ? 1 : 0);
  if (deaths >= MOST_DEATHS) {
    const message = `The task was given up: ${MOST_DEATHS} processes have died at work on it.`;
    return withEnd(record, "failed", { error: { code: ErrorCode.InternalError, message } });
  }
  return changed(record, { worker, run: record.run + 1, deaths });
}

/** Nobody is at work on it any more, and whoever is asked next goes on. */
export function withoutWorker(record: TaskRecord): TaskRecord | undefined {
  return isRecordOver(record) ? undefined : changed(record, { worker: "" });
}

/** A `Task` of the specification's. */
export function summaryOf({
  id,
  status,
  statusMessage,
  createdAt,
  lastUpdatedAt,
  ttlMs,
}: TaskRecord): object {
  const message = statusMessage === undefined ? {} : { statusMessage };
  return {
    taskId: id,
    status,
    ...message,
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** A `DetailedTask`: with the result, the error or the open questions. */
export function detailsOf(record: TaskRecord): object {
  const summary = summaryOf(record);
  if (record.status !== "input_required") return { ...summary, ...record.outcome };
  const requests = Object.entries(record.open).map(([key, { method, params }]) => [key, { method, params }]);
  return { ...summary, inputRequests: Object.fromEntries(requests) as object };
}

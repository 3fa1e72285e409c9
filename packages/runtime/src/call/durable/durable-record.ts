/**
 * The record of a call that other runs of its handler, in this process or another, can continue. Each change applies to the
 * version before it.
 * @module
 */
import type { StoredQuestion } from "../questions/read-stored-answer.js";
import type { AskedQuestion, StoredEffects } from "../questions/transcript.js";

/** Number of process crashes after which a call fails, since the call may be the cause. */
export const MAX_CRASHES = 3;

/** The client's answer to a question, or the reason why there is none. */
export type QuestionReply = { readonly result: unknown } | { readonly rejection: string };

/** One question of a durable call. */
export interface DurableQuestion extends Omit<AskedQuestion, "answer"> {
  /** The question to the client. Absent after its reply, and if a request carries the question. */
  readonly request?: StoredQuestion | undefined;
  /** The ID of the request that carries the question, if one does. */
  readonly requestId?: string;
  /** The deadline for the reply, in milliseconds since 1970. Default: none. */
  readonly endsAt?: number;
  readonly reply?: QuestionReply;
}

/** The record of one call. */
export interface DurableRecord {
  /** Grows with each change. */
  readonly version: number;
  /** Identifies the call in all its runs; see `Transcript`. */
  readonly callId: string;
  /** The process that works on the call. Empty while none does. */
  readonly worker: string;
  /** Number of the handler's current run. No other run may change the record, but any process may add replies. */
  readonly run: number;
  /** Number of processes that crashed while they worked on the call. */
  readonly crashes: number;
  /** The questions, in the order in which they were asked. */
  readonly asked: readonly (readonly [key: string, DurableQuestion])[];
  /** Results of effects that are not recorded elsewhere. */
  readonly effects: StoredEffects;
}

/** Returns a changed record, with the next version. */
export function withChange<Kind extends DurableRecord>(record: Kind, change: Partial<Kind>): Kind {
  return { ...record, ...change, version: record.version + 1 };
}

/**
 * Adds the reply to a question.
 *
 * @returns undefined if there is no such question, or it has a reply
 */
export function withReply<Kind extends DurableRecord>(
  record: Kind,
  key: string,
  reply: QuestionReply,
): Kind | undefined {
  const isOpen = record.asked.some(([each, question]) => each === key && question.reply === undefined);
  if (!isOpen) return undefined;
  const asked = record.asked.map(([each, { request, ...question }]): readonly [string, DurableQuestion] => {
    if (each === key) return [each, { ...question, reply }];
    return [each, request === undefined ? question : { ...question, request }];
  });
  return { ...withChange(record, {}), asked };
}

/** Returns whether any question has no reply. */
export function isWaiting({ asked }: DurableRecord): boolean {
  return asked.some(([, { reply }]) => reply === undefined);
}

/**
 * Begins another run of the handler. If another process is recorded as the worker, it counts as crashed.
 *
 * @param worker the process that continues
 * @param wasAtWork false if the handler was only waiting, so that a crash does not count
 * @returns undefined after too many crashes
 */
export function withNextRun<Kind extends DurableRecord>(
  record: Kind,
  worker: string,
  wasAtWork = true,
): Kind | undefined {
  const hasCrashed = wasAtWork && record.worker !== "" && record.worker !== worker;
  const crashes = record.crashes + (hasCrashed ? 1 : 0);
  if (crashes >= MAX_CRASHES) return undefined;
  return { ...withChange(record, {}), worker, run: record.run + 1, crashes };
}

/** Lets any process continue the call. */
export function withoutWorker<Kind extends DurableRecord>(record: Kind): Kind {
  return { ...withChange(record, {}), worker: "" };
}

/**
 * What a store has of a call that asks its client, and how it changes: each change is made of the one before.
 * @module
 */
import type { Principal } from "../../api/caller.js";
import type { Asked } from "../../ask/questions/transcript.js";
import type { Call } from "../../connection/call.js";
import type { ClientDescription } from "../../protocol/client-description.js";
import type { Params, RequestId } from "../../protocol/jsonrpc.js";
import type { LoggingLevel } from "../../protocol/specification.js";

/** What a client made of a question: its answer, or why there is none. */
export type QuestionReply = { readonly result: unknown } | { readonly refusal: string };

/** One question of a call. */
export interface RecordedQuestion extends Omit<Asked, "answer"> {
  /** The id of the request by which the client is asked. */
  readonly requestId: string;
  /** When it is too late for an answer, in milliseconds since 1970. */
  readonly endsAt: number;
  readonly reply?: QuestionReply;
}

/** What another process needs to run the call again. */
export interface CallRecord {
  /** What all runs of the call have in common; see `Transcript`. */
  readonly callId: string;
  /** The replica at work; empty when it has given the call up. */
  readonly by: string;
  /** Which run of the handler it is at. No other may change the record, but for replies. */
  readonly run: number;
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
  readonly revision: string;
  readonly client: ClientDescription;
  readonly principal?: StoredPrincipal | undefined;
  readonly address?: string | undefined;
  readonly logLevel?: LoggingLevel | undefined;
  /** Where the client hears of it. */
  readonly stream: string;
  /** In the order in which they were asked. */
  readonly asked: readonly (readonly [key: string, RecordedQuestion])[];
  /** Results of `once()` up to the last question. */
  readonly effects: readonly (readonly [key: string, result?: unknown])[];
  /** The answer, once it is decided and not sent yet; `null` where there is to be none. */
  readonly answer?: string | null;
}

/** As JSON has it. */
type StoredPrincipal = Omit<Principal, "expiresAt"> & { readonly expiresAt?: string | undefined };

/** The record of a call that is about to ask for the first time. */
export function firstRecord(call: Call, callId: string, by: string, stream: string): CallRecord {
  const { id, method, params, revision, client, peer, session } = call;
  const { principal, address } = peer;
  return {
    callId,
    by,
    run: 1,
    id,
    method,
    params,
    revision: revision.id,
    client,
    principal: principal && { ...principal, expiresAt: principal.expiresAt?.toISOString() },
    address,
    logLevel: session.logLevel,
    stream,
    asked: [],
    effects: [],
  };
}

export function principalOf({ principal }: CallRecord): Principal | undefined {
  if (principal === undefined) return undefined;
  const { expiresAt, ...rest } = principal;
  return Object.freeze({ ...rest, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) });
}

export function withQuestion(
  record: CallRecord,
  key: string,
  question: RecordedQuestion,
  effects: ReadonlyMap<string, unknown>,
): CallRecord {
  const pairs = [...effects].map(([name, result]): [string, unknown?] =>
    result === undefined ? [name] : [name, result],
  );
  return { ...record, asked: [...record.asked, [key, question]], effects: pairs };
}

/** The first reply counts; a question that was never asked has none. */
export function withReply(
  record: CallRecord,
  requestId: string,
  reply: QuestionReply,
): CallRecord | undefined {
  if (record.answer !== undefined) return undefined;
  const isOpen = record.asked.some(([, each]) => each.requestId === requestId && each.reply === undefined);
  if (!isOpen) return undefined;
  return {
    ...record,
    asked: record.asked.map(([key, each]) => [key, each.requestId === requestId ? { ...each, reply } : each]),
  };
}

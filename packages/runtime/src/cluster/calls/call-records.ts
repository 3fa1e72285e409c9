/**
 * Legacy calls that send questions to their client, as records in the store.
 * @module
 */
import type { Call } from "../../call/connection/call.js";
import {
  withChange,
  type DurableRecord,
  isWaiting,
  MAX_CRASHES,
  type QuestionReply,
  withNextRun,
  withReply,
} from "../../call/durable/durable-record.js";
import { ToolError } from "../../api/errors.js";
import type { Limits } from "../../api/limits.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { toErrorText, type RequestId } from "../../protocol/jsonrpc.js";
import type { LoggingLevel } from "../../protocol/specification.js";
import { type RecordChange, RecordTable } from "../../store/record-table.js";
import { toStoredRequest, type StoredRequest } from "../records/stored-request.js";
import type { Replica } from "../replicas/replica.js";

/** The minimum time for which a handler may work between questions before its call is forgotten, in milliseconds. */
const MIN_WORK_MS = 3_600_000;

/** The time for which a response that may not have reached its stream is stored, in milliseconds. */
const RESPONSE_TTL_MS = 600_000;

/** The record of one call. */
export interface CallRecord extends DurableRecord {
  readonly request: StoredRequest;
  readonly logLevel?: LoggingLevel | undefined;
  /** The scopes that the senders of answers need. */
  readonly scopes?: readonly string[] | undefined;
  /** The response, if it is known; `null` if the client receives none. */
  readonly response?: string | null;
}

/** Creates the record of a call that is about to send its first question. */
export function createCallRecord(call: Call, callId: string, worker: string): CallRecord {
  const request = toStoredRequest(call);
  const logLevel = call.session?.logLevel;
  const { scopes } = call;
  return {
    version: 0,
    callId,
    worker,
    run: 1,
    crashes: 0,
    asked: [],
    effects: [],
    request,
    logLevel,
    scopes,
  };
}

/**
 * Adds the reply to a question.
 *
 * @returns undefined if the call already has a response, or the question already has a reply or was never asked
 */
export function withRequestReply(
  record: CallRecord,
  requestId: string,
  reply: QuestionReply,
): CallRecord | undefined {
  const [key] = record.asked.find(([, question]) => question.requestId === requestId) ?? [];
  return key === undefined || record.response !== undefined ? undefined : withReply(record, key, reply);
}

/**
 * Adds the response.
 *
 * @returns undefined if the call already has one
 */
export function withResponse(record: CallRecord, response: string | null): CallRecord | undefined {
  return record.response === undefined ? withChange(record, { response }) : undefined;
}

/** Moves a call to another process. After too many crashes, the call receives an error as its response. */
export function withNextProcess(record: CallRecord, worker: string): CallRecord {
  const run = record.run + 1;
  if (record.response !== undefined) return withChange(record, { worker, run });
  // A crash while the call waits for its client does not count, since the call cannot be the cause.
  const next = withNextRun(record, worker, !isWaiting(record));
  if (next !== undefined) return next;
  const message = `The call failed because ${MAX_CRASHES} processes crashed while they worked on it.`;
  const response = toErrorText(record.request.id, ErrorCode.InternalError, message);
  return withChange(record, { worker, run, response });
}

/** Identifies a call among all calls of a server. */
export interface CallLocation {
  /** The session ID that handlers see. */
  readonly session: string;
  /** The stream on which the client receives the messages about the call. */
  readonly stream: string;
}

/** Returns the key of a call. All keys of a session are in one slot of a Redis cluster. */
export function getCallKey({ session, stream }: CallLocation): string {
  return `{${session}}:${stream}`;
}

/** The calls of one server in its store. */
export class CallRecords {
  /** The time for which a call is stored after its last change, in milliseconds. */
  readonly ttlMs: number;
  readonly #calls: RecordTable<CallRecord>;
  /** The stream of each request. */
  readonly #streams: RecordTable<string>;

  constructor(replica: Replica, limits: Pick<Limits, "inputTimeoutMs" | "maxBodyBytes">) {
    this.ttlMs = limits.inputTimeoutMs + MIN_WORK_MS;
    this.#calls = new RecordTable({
      store: replica.store,
      getKey: (id) => replica.toKey(`call:${id}`),
      getTtlMs: ({ response }) => (response === undefined ? this.ttlMs : RESPONSE_TTL_MS),
      // One half is for the request, the other for questions and answers.
      maxBytes: 2 * limits.maxBodyBytes,
      createTooLargeError: () =>
        new ToolError("The call is too large to be stored with its questions and answers."),
    });
    this.#streams = new RecordTable({
      store: replica.store,
      getKey: (id) => replica.toKey(`request:${id}`),
      getTtlMs: () => this.ttlMs,
    });
  }

  /**
   * Stores the first record of a call.
   *
   * @throws ToolError for a call that is too large to be stored
   */
  async create(location: CallLocation, record: CallRecord): Promise<void> {
    const { session, stream } = location;
    await this.#streams.put(getRequestKey(session, record.request.id), stream);
    await this.#calls.put(getCallKey(location), record);
  }

  /** Finds a call by the ID of its request. */
  async find(session: string, id: RequestId): Promise<CallLocation | undefined> {
    const stream = await this.#streams.get(getRequestKey(session, id));
    return stream === undefined ? undefined : { session, stream };
  }

  get(location: CallLocation): Promise<CallRecord | undefined> {
    return this.#calls.get(getCallKey(location));
  }

  /**
   * Changes a call.
   *
   * @param change returns undefined to leave it as it is
   * @throws ToolError for a call that would become too large to be stored
   */
  change(
    location: CallLocation,
    change: (record: CallRecord | undefined) => CallRecord | undefined,
  ): Promise<RecordChange<CallRecord>> {
    return this.#calls.change(getCallKey(location), change);
  }
}

function getRequestKey(session: string, id: RequestId): string {
  return `{${session}}:${JSON.stringify(id)}`;
}

const QUESTION_ID = /^tenon\.\d{1,9}\.([\da-f-]{36})\.([\w.-]{1,1500})$/;

/** The content of a question's ID, with which the process that receives the reply finds the call. */
export interface QuestionLocation {
  readonly callId: string;
  /** The stream of the call. */
  readonly stream: string;
}

/**
 * Creates the ID of a question.
 *
 * @param number the number of the question in its call
 */
export function createQuestionId({ callId, stream }: QuestionLocation, number: number): string {
  return `tenon.${number}.${callId}.${stream}`;
}

/** Returns the location of a question with this ID; undefined for any other ID. */
export function parseQuestionId(id: unknown): QuestionLocation | undefined {
  // The ID of a reply comes from the client, which may send any JSON value.
  const [, callId, stream] = (typeof id === "string" && QUESTION_ID.exec(id)) || [];
  return callId === undefined || stream === undefined ? undefined : { callId, stream };
}

/**
 * The ids of events: they say all that any process needs to go on with a stream where its client has left it.
 * @module
 */
import { isRequestId, type RequestId } from "../../protocol/jsonrpc.js";

const CALL_EVENT = /^(([\da-f]{16})\.\d{1,15}\.([\w-]{1,1400}))_(\d{1,15})_([\d-]{1,64})$/;
const STANDALONE_EVENT = /^0_([\d-]{0,64})_([\d-]{0,64})(?:_\d{1,15})?$/;

/** Longer ids of requests are not made part of others. */
const MOST_REQUEST_CHARACTERS = 1000;

/** A place in the stream of a call. */
export interface StreamPlace {
  readonly stream: string;
  /** The replica that opened the stream. */
  readonly writer: string;
  /** What the stream is to answer. */
  readonly requests: RequestId | readonly RequestId[];
  readonly run: number;
  /** The id of the event in the log of the session. */
  readonly after: string;
}

/** A place in the standalone stream: what was sent comes from two streams of the store. */
export interface StandalonePlace {
  /** In the session's log of what belongs to no call. */
  readonly log: string;
  /** Among the changes that all replicas announce. */
  readonly changes: string;
}

/**
 * The name of the stream of a message's requests.
 *
 * @param number tells it from others of this replica
 * @returns undefined where the ids of the requests are too long to be part of others
 */
export function callStreamName(replica: string, number: number, message: unknown): string | undefined {
  const ids = Array.isArray(message) ? message.flatMap(idOf) : idOf(message)[0];
  const text = JSON.stringify(ids ?? null);
  if (text.length > MOST_REQUEST_CHARACTERS) return undefined;
  return `${replica}.${number}.${Buffer.from(text).toString("base64url")}`;
}

export function callEventId(stream: string, run: number, id: string): string {
  return `${stream}_${run}_${id}`;
}

/** @param number tells events behind the same place apart */
export function standaloneEventId({ log, changes }: StandalonePlace, number?: number): string {
  return `0_${log}_${changes}${number === undefined ? "" : `_${number}`}`;
}

export function streamPlace(eventId: string): StreamPlace | undefined {
  const [, stream, writer, encoded, run, after] = CALL_EVENT.exec(eventId) ?? [];
  const requests = encoded === undefined ? undefined : requestsIn(encoded);
  if (stream === undefined || writer === undefined || after === undefined || requests === undefined) {
    return undefined;
  }
  return { stream, writer, requests, run: Number(run), after };
}

export function standalonePlace(eventId: string): StandalonePlace | undefined {
  const [, log, changes] = STANDALONE_EVENT.exec(eventId) ?? [];
  return log === undefined || changes === undefined ? undefined : { log, changes };
}

/** Clients may send what they like. */
function requestsIn(encoded: string): StreamPlace["requests"] | undefined {
  try {
    const ids = JSON.parse(Buffer.from(encoded, "base64url").toString()) as unknown;
    const isValid = Array.isArray(ids) ? ids.every(isRequestId) : isRequestId(ids);
    return isValid ? (ids as StreamPlace["requests"]) : undefined;
  } catch {
    return undefined;
  }
}

function idOf(message: unknown): RequestId[] {
  const { id, method } = Object(message) as { id?: unknown; method?: unknown };
  return method !== undefined && isRequestId(id) ? [id] : [];
}

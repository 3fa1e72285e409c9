/**
 * The IDs of events. They contain everything that a process needs to continue a stream for its client.
 * @module
 */
import { digest } from "../../access/encryption/digest.js";
import { isRequestId, type RequestId } from "../../protocol/jsonrpc.js";

const CALL_EVENT = /^(([\da-f]{16})\.\d{1,15}\.([\w-]{22})\.([\w-]{1,1400}))_(\d{1,15})_([\d-]{1,64})$/;
const STANDALONE_EVENT = /^0_([\d-]{0,64})_([\d-]{0,64})(?:_\d{1,15})?$/;

/** Maximum length of request IDs in the name of a stream. */
const MAX_REQUEST_CHARACTERS = 1000;

/** A cursor in the stream of a call. */
export interface CallStreamCursor {
  readonly stream: string;
  /** The replica that opened the stream. */
  readonly writer: string;
  /** The IDs of the requests whose responses the stream carries. */
  readonly requests: RequestId | readonly RequestId[];
  readonly run: number;
  /** The ID of the event in the log of the session. */
  readonly after: string;
}

/** A cursor in the standalone stream, whose messages come from two streams of the store. */
export interface StandaloneCursor {
  /** The cursor in the session's log of messages that belong to no call. */
  readonly log: string;
  /** The cursor in the changes of all replicas. */
  readonly changes: string;
}

/**
 * Returns the name of the stream for a message's requests.
 *
 * @param number distinguishes it from others of this replica
 * @param session the session ID that handlers see
 * @returns undefined if the IDs of the requests are too long
 */
export function createCallStreamName(
  replica: string,
  number: number,
  session: string,
  message: unknown,
): string | undefined {
  const ids = Array.isArray(message) ? message.flatMap(readRequestIds) : readRequestIds(message)[0];
  const text = JSON.stringify(ids ?? null);
  if (text.length > MAX_REQUEST_CHARACTERS) return undefined;
  return `${replica}.${number}.${digest(session)}.${Buffer.from(text).toString("base64url")}`;
}

/** Creates the event ID for an entry in the stream of a call. */
export function createCallEventId(stream: string, run: number, id: string): string {
  return `${stream}_${run}_${id}`;
}

/**
 * Creates the ID of an event in the standalone stream.
 *
 * @param number distinguishes events with the same cursor
 */
export function createStandaloneEventId({ log, changes }: StandaloneCursor, number?: number): string {
  return `0_${log}_${changes}${number === undefined ? "" : `_${number}`}`;
}

/** Parses the ID of an event in the stream of a session's call; undefined for any other text. */
export function parseCallEventId(eventId: string, session: string): CallStreamCursor | undefined {
  const [, stream, writer, owner, encoded, run, after] = CALL_EVENT.exec(eventId) ?? [];
  if (owner !== digest(session)) return undefined;
  const requests = encoded === undefined ? undefined : decodeRequests(encoded);
  if (stream === undefined || writer === undefined || after === undefined || requests === undefined) {
    return undefined;
  }
  return { stream, writer, requests, run: Number(run), after };
}

/** Parses the ID of an event in a standalone stream; undefined for any other text. */
export function parseStandaloneEventId(eventId: string): StandaloneCursor | undefined {
  const [, log, changes] = STANDALONE_EVENT.exec(eventId) ?? [];
  return log === undefined || changes === undefined ? undefined : { log, changes };
}

/** Reads the request IDs in the name of a stream. Clients may send any text. */
function decodeRequests(encoded: string): CallStreamCursor["requests"] | undefined {
  try {
    const ids = JSON.parse(Buffer.from(encoded, "base64url").toString()) as unknown;
    const isValid = Array.isArray(ids) ? ids.every(isRequestId) : isRequestId(ids);
    return isValid ? (ids as CallStreamCursor["requests"]) : undefined;
  } catch {
    return undefined;
  }
}

function readRequestIds(message: unknown): RequestId[] {
  const { id, method } = Object(message) as { id?: unknown; method?: unknown };
  return method !== undefined && isRequestId(id) ? [id] : [];
}

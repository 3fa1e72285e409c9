import { ToolError } from "../../api/errors.js";
import type { Limits } from "../../api/limits.js";
import type { RequestId } from "../../protocol/jsonrpc.js";
import type { Replica } from "../replica.js";
import type { CallRecord } from "./call-record.js";

/** How long a handler may be at work between its questions, at least, before its call is forgotten, in milliseconds. */
const LEAST_WORK_MS = 3_600_000;

/** How long an answer is kept that may not have reached its stream, in milliseconds. */
const ANSWER_TTL_MS = 600_000;

/** Which call of which session. */
export interface CallPlace {
  /** As handlers know the session. */
  readonly session: string;
  /** Where its client hears of the call. */
  readonly stream: string;
}

/** The calls of one server in its store. */
export class CallRecords {
  /** How long what the store has of a call is kept after its last change, in milliseconds. */
  readonly ttlMs: number;
  readonly #replica: Replica;
  readonly #mostBytes: number;

  constructor(replica: Replica, limits: Pick<Limits, "answerMs" | "bodyBytes">) {
    this.#replica = replica;
    this.ttlMs = limits.answerMs + LEAST_WORK_MS;
    // The call's own message, and as much again for what was asked and answered.
    this.#mostBytes = 2 * limits.bodyBytes;
  }

  /** @throws ToolError for a call that is too large to be kept */
  async create(place: CallPlace, record: CallRecord): Promise<void> {
    const { store } = this.#replica;
    const { ttlMs } = this;
    const text = this.#text(record);
    await store.set(this.#requestKey(place.session, record.id), place.stream, { ttlMs });
    await store.set(this.#key(place), text, { ttlMs });
  }

  /** Where a call is that the client knows by the id of its request. */
  async find(session: string, id: RequestId): Promise<CallPlace | undefined> {
    const stored = await this.#replica.store.get(this.#requestKey(session, id));
    return stored && { session, stream: stored.value };
  }

  async get(place: CallPlace): Promise<CallRecord | undefined> {
    const stored = await this.#replica.store.get(this.#key(place));
    return stored && (JSON.parse(stored.value) as CallRecord);
  }

  /**
   * Changes a call as it is when nobody else changes it.
   *
   * @param change gives undefined for a call to be left as it is
   * @returns the changed one; undefined when it was left, or is not there
   * @throws ToolError for a call that would become too large to be kept
   */
  async change(
    place: CallPlace,
    change: (record: CallRecord) => CallRecord | undefined,
  ): Promise<CallRecord | undefined> {
    const { store } = this.#replica;
    const key = this.#key(place);
    for (;;) {
      const stored = await store.get(key);
      const record = stored && (JSON.parse(stored.value) as CallRecord);
      const next = record && change(record);
      if (stored === undefined || next === undefined) return undefined;
      const ttlMs = next.answer === undefined ? this.ttlMs : ANSWER_TTL_MS;
      const options = { ttlMs, ifVersion: stored.version };
      if ((await store.set(key, this.#text(next), options)) !== undefined) return next;
    }
  }

  #text(record: CallRecord): string {
    const text = JSON.stringify(record);
    if (text.length <= this.#mostBytes) return text;
    throw new ToolError("The call and its questions and answers are too large to be kept.");
  }

  #key({ session, stream }: CallPlace): string {
    return this.#replica.key(`call:{${session}}:${stream}`);
  }

  #requestKey(session: string, id: RequestId): string {
    return this.#replica.key(`request:{${session}}:${JSON.stringify(id)}`);
  }
}

import type { Change } from "../../api/notifier.js";
import { toEventText, KEEP_ALIVE } from "../../transports/http/exchange/event-text.js";
import type { EventStream, HttpExchange } from "../../transports/http/exchange/exchange.js";
import type { ChangeFilter } from "../../transports/transport.js";
import { type FoundRecord, RecordTable } from "../../store/record-table.js";
import { getRetryDelayMs, sleep } from "../../store/retry.js";
import { followStream, type StreamEntries } from "../replicas/follow-stream.js";
import type { Replica } from "../replicas/replica.js";
import type { FollowedChanges, StoreChanges } from "../changes/store-changes.js";
import { createStandaloneEventId, type StandaloneCursor } from "./event-ids.js";
import { type LoggedEvent, type SessionLog, STANDALONE } from "./session-log.js";

/** The maximum time without messages before the client's cursor is stored again, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/** The kind of message to other processes that serve the same stream. */
const MOVED = "standalone-stream";

/** The record of a session's standalone stream. */
interface StandaloneRecord extends StandaloneCursor {
  /** Identifies this connection. */
  readonly token: string;
}

export interface StandaloneStreamOptions {
  readonly replica: Replica;
  readonly log: SessionLog;
  readonly changes: StoreChanges;
  readonly session: string;
  /** The time when the session was opened, in milliseconds since 1970. */
  readonly openedAt: number;
  /** Selects the changes that the client has subscribed to, and writes their notifications. */
  readonly filter: ChangeFilter | undefined;
  /** Whether the client's revision allows events without data. */
  readonly canPoll: boolean;
}

/**
 * The stream for messages that belong to no request, in the process that has the client's GET: the messages that any
 * process has appended for the session, and the changes of any process to which the client has subscribed.
 */
export class StandaloneStream {
  readonly #options: StandaloneStreamOptions;
  readonly #records: RecordTable<StandaloneRecord>;
  readonly #token = globalThis.crypto.randomUUID();
  readonly #stopping = new AbortController();
  #connection: EventStream | undefined;
  #cursor: StandaloneCursor = { log: "", changes: "" };
  /** The record, as this process last wrote it. */
  #stored: FoundRecord<StandaloneRecord> | undefined;

  constructor(options: StandaloneStreamOptions) {
    this.#options = options;
    const { replica, log } = options;
    this.#records = new RecordTable({
      store: replica.store,
      getKey: (session) => replica.toKey(`session:{${session}}:standalone`),
      getTtlMs: () => 2 * log.ttlMs,
    });
  }

  /**
   * Responds to the GET. Resolves when the client has disconnected, or another process serves it.
   *
   * @param lastSeen the cursor of the client, if it sends one
   */
  async serve(exchange: HttpExchange, lastSeen: StandaloneCursor | undefined): Promise<void> {
    const { signal } = this.#stopping;
    const cleanups: (() => void)[] = [];
    const begin = (): void => {
      if (this.#connection === undefined) {
        this.#connection = exchange.streamUntilExpiry(() => this.#stopping.abort());
      }
    };
    try {
      let followed: FollowedChanges | undefined;
      let failures = 0;
      while (followed === undefined && !signal.aborted) {
        try {
          followed = await this.#takeOver(lastSeen, cleanups);
        } catch {
          // Clients do not retry often, so this one waits until the store is reachable.
          begin();
          await sleep(getRetryDelayMs(++failures), signal);
        }
      }
      if (signal.aborted) return;
      begin();
      if (this.#options.canPoll) this.#write("");
      followed?.begin();
      await this.#follow();
    } finally {
      for (const cleanUp of cleanups) cleanUp();
    }
    // If the cursor cannot be stored, the client receives some messages twice.
    if (this.#stored !== undefined) await this.#store().catch(() => {});
  }

  /**
   * Takes the stream over from the process that had it.
   *
   * @param cleanups collects the functions to call at the end
   * @throws ProtocolError while the store is unreachable
   */
  async #takeOver(
    lastSeen: StandaloneCursor | undefined,
    cleanups: (() => void)[],
  ): Promise<FollowedChanges> {
    const { replica, changes, session, openedAt } = this.#options;
    for (const cleanUp of cleanups.splice(0)) cleanUp();
    const before = await this.#records.get(session);
    // A client without a cursor may receive some messages twice, which is harmless.
    const cursor = lastSeen ?? before;
    const followed = await changes.follow(
      cursor === undefined ? { since: openedAt } : { after: cursor.changes },
      (changed, at) => this.#notify(changed, at),
    );
    cleanups.push(followed.stop);
    this.#cursor = { log: cursor?.log ?? "", changes: cursor?.changes ?? followed.from };
    this.#stored = undefined;
    await this.#store();
    cleanups.push(replica.on(MOVED, (payload) => this.#endIfMoved(payload)));
    if (before !== undefined) await replica.broadcast(MOVED, [session, this.#token]);
    return followed;
  }

  keepAlive(): void {
    if (this.#connection?.write(KEEP_ALIVE) === false) this.end();
  }

  /** Disconnects the client, which may reconnect. */
  end(): void {
    this.#stopping.abort();
    this.#connection?.end();
  }

  /** Sends the messages of the session as they arrive. */
  async #follow(): Promise<void> {
    const { log } = this.#options;
    await followStream({
      read: (after, options) => log.read(after, options),
      after: this.#cursor.log,
      signal: this.#stopping.signal,
      getWaitMs: () => Math.min(MAX_WAIT_MS, log.ttlMs / 3),
      onEntries: (part) => this.#send(part),
      onSilence: () => this.#store(),
    });
  }

  /** Sends messages. The stream continues after a gap, since its messages are not responses. */
  #send({ entries, missed }: StreamEntries<LoggedEvent>): void {
    if (missed && entries.length === 0) this.#cursor = { ...this.#cursor, log: "" };
    for (const { id, stream, kind, data } of entries) {
      this.#cursor = { ...this.#cursor, log: id };
      if (stream === STANDALONE && kind === "message") this.#write(data);
    }
  }

  /**
   * Notifies the client of changes.
   *
   * @param changes undefined if any may have been missed
   */
  #notify(changes: readonly Change[] | undefined, at: string): void {
    const texts = this.#options.filter?.(changes) ?? [];
    const last = texts.pop();
    // Only the last notification has the new cursor. A client that disconnects earlier receives all of them again.
    for (const [index, text] of texts.entries()) this.#write(text, index + 1);
    this.#cursor = { ...this.#cursor, changes: at };
    if (last !== undefined) this.#write(last);
  }

  /**
   * Writes an event.
   *
   * @param number distinguishes events with the same cursor
   */
  #write(data: string, number?: number): void {
    const text = toEventText(data, `id: ${createStandaloneEventId(this.#cursor, number)}\n`);
    if (this.#connection?.write(text) === false) this.end();
  }

  /** Stores the cursor of the client, and ends the stream if another process has taken it over. */
  async #store(): Promise<void> {
    const next: StandaloneRecord = { ...this.#cursor, token: this.#token };
    const stored = this.#stored;
    const isOwn = (found: StandaloneRecord | undefined): boolean =>
      stored === undefined || found?.token === this.#token;
    const update = (found: StandaloneRecord | undefined): StandaloneRecord | undefined =>
      isOwn(found) ? next : undefined;
    const { isChanged, ...found } = await this.#records.change(this.#options.session, update, stored);
    if (isChanged) this.#stored = found;
    else this.end();
  }

  #endIfMoved(payload: unknown): void {
    const [session, token] = payload as [string, string];
    if (session === this.#options.session && token !== this.#token) this.end();
  }
}

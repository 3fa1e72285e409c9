import type { Change } from "../../api/notifier.js";
import { eventText, KEEP_ALIVE } from "../../transports/http/exchange/event-text.js";
import type { EventStream, HttpExchange } from "../../transports/http/exchange/exchange.js";
import type { ChangeFilter } from "../../transports/transport.js";
import type { Replica } from "../replica.js";
import type { FollowedChanges, StoreChanges } from "../changes/store-changes.js";
import { standaloneEventId, type StandalonePlace } from "./event-ids.js";
import { type LogPart, type SessionLog, STANDALONE } from "./session-log.js";

/** How long is waited for messages before the client's place is written down again, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;

const RETRY_MS = 1000;

/** Told to whoever else carries the stream of a session. */
const MOVED = "standalone-stream";

/** What the store says of a session's standalone stream. */
interface StandaloneRecord extends StandalonePlace {
  /** Tells this connection from others. */
  readonly token: string;
}

export interface StandaloneStreamOptions {
  readonly replica: Replica;
  readonly log: SessionLog;
  readonly changes: StoreChanges;
  readonly session: string;
  /** When the session was opened, in milliseconds since 1970. */
  readonly openedAt: number;
  /** How the client is notified of changes. */
  readonly filter: ChangeFilter | undefined;
  /** The client's revision has events without data. */
  readonly isPolled: boolean;
}

/**
 * The stream for messages that belong to no request, as the process sends it that has the client's GET: what any process
 * has appended for the session, and of the changes that any has announced, those that concern the client.
 */
export class StandaloneStream {
  readonly #options: StandaloneStreamOptions;
  readonly #key: string;
  readonly #token = globalThis.crypto.randomUUID();
  readonly #stopping = new AbortController();
  #connection: EventStream | undefined;
  #place: StandalonePlace = { log: "", changes: "" };
  /** Of the record, as this process has written it. */
  #version: string | undefined;

  constructor(options: StandaloneStreamOptions) {
    this.#options = options;
    this.#key = options.replica.key(`session:{${options.session}}:standalone`);
  }

  /**
   * Answers the GET. Fulfilled when the client has gone, or is served by another process.
   *
   * @param lastSeen where the client has left the stream, if it says so
   */
  async serve(exchange: HttpExchange, lastSeen: StandalonePlace | undefined): Promise<void> {
    const { signal } = this.#stopping;
    const stops: (() => void)[] = [];
    const begin = (): void => {
      if (this.#connection === undefined) {
        this.#connection = exchange.streamUntilExpiry(() => this.#stopping.abort());
      }
    };
    try {
      let followed: FollowedChanges | undefined;
      while (followed === undefined && !signal.aborted) {
        try {
          followed = await this.#take(lastSeen, stops);
        } catch {
          // Clients do not ask often, so this one waits until the store can be asked.
          begin();
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
        }
      }
      if (signal.aborted) return;
      begin();
      if (this.#options.isPolled) this.#write("");
      followed?.begin();
      await this.#follow();
    } finally {
      for (const stop of stops) stop();
    }
    // Where it cannot be kept how far the client came, it hears of some things twice.
    if (this.#version !== undefined) await this.#hold().catch(() => {});
  }

  /**
   * Takes the stream over from whoever had it.
   *
   * @param stops gets what is to be called in the end
   * @throws ProtocolError while the store cannot be asked
   */
  async #take(lastSeen: StandalonePlace | undefined, stops: (() => void)[]): Promise<FollowedChanges> {
    const { replica, changes, session, openedAt } = this.#options;
    for (const stop of stops.splice(0)) stop();
    const before = await this.#record();
    // A client that does not say where it was may hear of some things twice, which does no harm.
    const place = lastSeen ?? before;
    const followed = await changes.follow(
      place === undefined ? { since: openedAt } : { after: place.changes },
      (changed, at) => this.#notify(changed, at),
    );
    stops.push(followed.stop);
    this.#place = { log: place?.log ?? "", changes: place?.changes ?? followed.from };
    this.#version = undefined;
    await this.#hold();
    stops.push(replica.on(MOVED, (payload) => this.#letGo(payload)));
    if (before !== undefined) await replica.tellAll(MOVED, [session, this.#token]);
    return followed;
  }

  keepAlive(): void {
    if (this.#connection?.write(KEEP_ALIVE) === false) this.end();
  }

  /** Lets go of the client, who may come back. */
  end(): void {
    this.#stopping.abort();
    this.#connection?.end();
  }

  /** What the session was sent, as it comes. */
  async #follow(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    const waitMs = Math.min(LONGEST_WAIT_MS, log.ttlMs / 3);
    while (!signal.aborted) {
      try {
        const part = await log.read(this.#place.log, { waitMs, signal });
        if (signal.aborted) return;
        this.#send(part);
        if (part.events.length === 0 && !part.gap) await this.#hold();
      } catch {
        // The log has it.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  }

  /** Messages here are answers to nothing, so the stream goes on behind a gap. */
  #send({ events, gap }: LogPart): void {
    if (gap && events.length === 0) this.#place = { ...this.#place, log: "" };
    for (const { id, stream, kind, data } of events) {
      this.#place = { ...this.#place, log: id };
      if (stream === STANDALONE && kind === "message") this.#write(data);
    }
  }

  /** @param changes undefined where any may have been missed */
  #notify(changes: readonly Change[] | undefined, at: string): void {
    const texts = this.#options.filter?.(changes) ?? [];
    const last = texts.pop();
    // Who leaves before the last one has not heard of them all.
    for (const [index, text] of texts.entries()) this.#write(text, index + 1);
    this.#place = { ...this.#place, changes: at };
    if (last !== undefined) this.#write(last);
  }

  /** @param number tells events behind the same place apart */
  #write(data: string, number?: number): void {
    const text = eventText(data, `id: ${standaloneEventId(this.#place, number)}\n`);
    if (this.#connection?.write(text) === false) this.end();
  }

  async #record(): Promise<StandaloneRecord | undefined> {
    const stored = await this.#options.replica.store.get(this.#key);
    return stored && (JSON.parse(stored.value) as StandaloneRecord);
  }

  /** Says that the stream is here, and how far the client has come; finds out whether another has it since. */
  async #hold(): Promise<void> {
    const { replica, log } = this.#options;
    const record: StandaloneRecord = { ...this.#place, token: this.#token };
    const condition = this.#version === undefined ? {} : { ifVersion: this.#version };
    const version = await replica.store.set(this.#key, JSON.stringify(record), {
      ttlMs: 2 * log.ttlMs,
      ...condition,
    });
    if (version === undefined) this.end();
    else this.#version = version;
  }

  #letGo(payload: unknown): void {
    const [session, token] = payload as [string, string];
    if (session === this.#options.session && token !== this.#token) this.end();
  }
}

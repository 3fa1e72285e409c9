import { randomUUID } from "node:crypto";
import type {
  AppendOptions,
  RateWindow,
  Lease,
  ReadOptions,
  SetOptions,
  Store,
  StoredValue,
  StreamEntry,
  StreamPart,
  LimitExceeded,
} from "../../api/store.js";
import { Commands } from "./commands.js";
import { type CommandConnection, createConnection } from "./connections.js";
import { KeyNames } from "./key-names.js";
import { loadClient } from "./load-client.js";
import { findLossRisks } from "./loss-risks.js";
import type { RedisSettings } from "./options.js";
import * as scripts from "./scripts.js";
import { retry } from "../../store/retry.js";
import { StreamWaiters } from "./stream-waiters.js";
import { Subscriber } from "./subscriber.js";

const DEFAULT_READ_LIMIT = 1000;

/** Matches the ID of an entry: the time when its stream began, and the entry's number. */
const ENTRY_ID = /^(\d{16})-(\d{1,15})$/;

/** The resources of an open store. */
interface OpenResources {
  readonly connection: CommandConnection;
  readonly commands: Commands;
  readonly subscriber: Subscriber;
  readonly waiters: StreamWaiters;
  /** Aborts reads that wait for entries. */
  readonly closing: AbortController;
}

export class RedisStore implements Store {
  readonly #settings: RedisSettings;
  readonly #names: KeyNames;
  /** The prefix of this process's versions, which is unique among processes. */
  readonly #origin = randomUUID().slice(-12);
  #versions = 0;
  #open: OpenResources | undefined;
  #isClosed = false;

  constructor(settings: RedisSettings) {
    this.#settings = settings;
    this.#names = new KeyNames(settings.prefix);
  }

  /** Starts connecting. Rejects if that can never succeed, for example if the package is not installed. */
  async open(): Promise<void> {
    this.#isClosed = false;
    if (this.#settings.location.kind !== "client") await loadClient();
    if (!this.#isClosed) this.#getOpen().connection.start();
  }

  /** Waits until Redis is reachable, and returns a sentence for each setting with which it loses data. */
  async findLossRisks(): Promise<string[]> {
    return retry(() => findLossRisks(this.#commands), { isFinal: () => this.#isClosed });
  }

  async get(key: string): Promise<StoredValue | undefined> {
    const name = this.#names.getName("value", key);
    const text = (await this.#commands.send(name, "GET", name)) as string | null;
    if (text === null) return undefined;
    const end = text.indexOf(":");
    return { value: text.slice(end + 1), version: text.slice(0, end) };
  }

  async set(key: string, value: string, options: SetOptions): Promise<string | undefined> {
    const { ttlMs, ifAbsent = false, ifVersion } = options;
    const name = this.#names.getName("value", key);
    const version = `${this.#origin}-${(++this.#versions).toString(36)}`;
    const text = `${version}:${value}`;
    const ttl = toWholeMs(ttlMs);
    if (ifVersion === undefined) {
      const condition = ifAbsent ? ["NX"] : [];
      const reply = await this.#commands.write(name, "SET", name, text, "PX", String(ttl), ...condition);
      return reply === null ? undefined : version;
    }
    // A key that is absent has no version.
    if (ifAbsent) return undefined;
    const isSet = await this.#commands.runWrite(scripts.setIfVersion, [name], [ifVersion, text, ttl]);
    return isSet === 1 ? version : undefined;
  }

  async delete(key: string, { ifVersion }: { readonly ifVersion?: string } = {}): Promise<boolean> {
    const name = this.#names.getName("value", key);
    const count = await (ifVersion === undefined
      ? this.#commands.write(name, "DEL", name)
      : this.#commands.runWrite(scripts.deleteIfVersion, [name], [ifVersion]));
    return count === 1;
  }

  async append(stream: string, values: readonly string[], options: AppendOptions): Promise<string[]> {
    if (values.length === 0) return [];
    const { maxBytes, ttlMs } = options;
    const args = [maxBytes, toWholeMs(ttlMs), this.#toTopic(this.#names.getStreamTopic(stream)), ...values];
    const name = this.#names.getName("stream", stream);
    return (await this.#commands.runWrite(scripts.append, [name], args)) as string[];
  }

  async read(stream: string, after: string, options: ReadOptions = {}): Promise<StreamPart> {
    const { limit = DEFAULT_READ_LIMIT, waitMs = 0, signal } = options;
    const none: StreamPart = { entries: [], missed: false };
    const [, began = "", number = ""] = ENTRY_ID.exec(after) ?? [];
    // Clients may send any text as the ID of the last event.
    if (after !== "" && began === "") return { ...none, missed: true };
    const name = this.#names.getName("stream", stream);
    const read = async (): Promise<StreamPart | undefined> => {
      const part = readPart(
        (await this.#commands.run(scripts.read, [name], [began, number, limit])) as StreamReply,
      );
      return part.entries.length > 0 || part.missed ? part : undefined;
    };
    const { waiters, closing } = this.#getOpen();
    const found = await read();
    if (found !== undefined || waitMs <= 0) return found ?? none;
    const signals = signal === undefined ? [closing.signal] : [signal, closing.signal];
    const topic = this.#toTopic(this.#names.getStreamTopic(stream));
    return (await waiters.waitFor(topic, read, waitMs, AbortSignal.any(signals))) ?? none;
  }

  async publish(topic: string, message: string): Promise<void> {
    const name = this.#toTopic(this.#names.getTopic(topic));
    await this.#commands.sendToNode(name, "PUBLISH", name, message);
  }

  async subscribe(
    topics: readonly string[],
    onMessage: (message: string, topic: string) => void,
    onMissed: () => void,
  ): Promise<() => Promise<void>> {
    const byName = new Map(topics.map((topic) => [this.#toTopic(this.#names.getTopic(topic)), topic]));
    const receive = (message: string, name: string): void => onMessage(message, byName.get(name) ?? name);
    return this.#getOpen().subscriber.subscribe([...byName.keys()], receive, onMissed);
  }

  async consume(uses: readonly RateWindow[]): Promise<LimitExceeded | undefined> {
    if (uses.length === 0) return undefined;
    const names = uses.map(({ key }) => this.#names.getName("count", key));
    const args = uses.flatMap(({ calls, windowMs }) => [calls, windowMs]);
    const exceeded = (await this.#commands.run(scripts.consume, names, args)) as [number, number] | null;
    return exceeded === null ? undefined : { index: exceeded[0], retryAfterMs: exceeded[1] };
  }

  async lease(key: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const names = [this.#names.getName("value", key), this.#names.getName("fence", key)];
    const ttl = toWholeMs(ttlMs);
    const token = (await this.#commands.runWrite(scripts.lease, names, [holder, ttl])) as string | null;
    if (token === null) return undefined;
    return {
      fencingToken: Number(token),
      renew: async () => (await this.#commands.runWrite(scripts.renew, names, [token, ttl])) === 1,
      release: async () => {
        await this.#commands.runWrite(scripts.deleteIfVersion, names.slice(0, 1), [token]);
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = this.#open;
    this.#open = undefined;
    open?.closing.abort();
    open?.waiters.close();
    open?.subscriber.close();
    open?.connection.close();
  }

  get #commands(): Commands {
    return this.#getOpen().commands;
  }

  #getOpen(): OpenResources {
    if (this.#isClosed) throw new Error("The store is closed.");
    if (this.#open !== undefined) return this.#open;
    const connection = createConnection(this.#settings);
    const subscriber = new Subscriber(connection, this.#settings.timeoutMs);
    this.#open = {
      connection,
      commands: new Commands(connection, this.#settings),
      subscriber,
      waiters: new StreamWaiters(subscriber),
      closing: new AbortController(),
    };
    return this.#open;
  }

  /** Adds the database to a topic, since Redis shares topics among all databases. */
  #toTopic(name: string): string {
    const { database } = this.#getOpen().connection;
    return database === 0 ? name : `${database}|${name}`;
  }
}

/** Whether entries were missed, when the stream began, the number of the first value, and the values. */
type StreamReply = [missed: number, began: string, first: number, ...values: string[]];

function readPart([missed, began, first, ...values]: StreamReply): StreamPart {
  const entries = values.map((value, index): StreamEntry => ({ id: `${began}-${first + index}`, value }));
  return { entries, missed: missed === 1 };
}

/** Rounds up to whole milliseconds, at least 1, since Redis rejects all other values. */
function toWholeMs(ms: number): number {
  return Math.max(1, Math.ceil(ms));
}

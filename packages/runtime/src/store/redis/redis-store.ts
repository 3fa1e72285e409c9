import { randomUUID } from "node:crypto";
import type {
  AppendOptions,
  CountedUse,
  Lease,
  ReadOptions,
  SetOptions,
  Store,
  StoredValue,
  StreamEntry,
  StreamPart,
  UsedUp,
} from "../../api/store.js";
import { Commands } from "./commands.js";
import { type CommandConnection, connectionTo } from "./connections.js";
import { KeyNames } from "./key-names.js";
import { loadClient } from "./load-client.js";
import type { RedisSettings } from "./options.js";
import * as scripts from "./scripts.js";
import { StreamWakes } from "./stream-wakes.js";
import { Subscriber } from "./subscriber.js";

const DEFAULT_READ_LIMIT = 1000;

/** When the stream of an entry began, and the entry's number. */
const ENTRY_ID = /^(\d{16})-(\d{1,15})$/;

/** What a store has while it is open. */
interface Open {
  readonly connection: CommandConnection;
  readonly commands: Commands;
  readonly subscriber: Subscriber;
  readonly wakes: StreamWakes;
  /** Ends what waits for entries. */
  readonly closing: AbortController;
}

export class RedisStore implements Store {
  readonly #settings: RedisSettings;
  readonly #names: KeyNames;
  /** What no other process begins its versions with. */
  readonly #origin = randomUUID().slice(-12);
  #versions = 0;
  #open: Open | undefined;
  #isClosed = false;

  constructor(settings: RedisSettings) {
    this.#settings = settings;
    this.#names = new KeyNames(settings.prefix);
  }

  /** Begins to connect. Rejects when that can never succeed, as without the package that it needs. */
  async open(): Promise<void> {
    this.#isClosed = false;
    if (this.#settings.place.kind !== "client") await loadClient();
    if (!this.#isClosed) this.#opened().connection.start();
  }

  async get(key: string): Promise<StoredValue | undefined> {
    const name = this.#names.of("value", key);
    const text = (await this.#commands.send(name, "GET", name)) as string | null;
    if (text === null) return undefined;
    const end = text.indexOf(":");
    return { value: text.slice(end + 1), version: text.slice(0, end) };
  }

  async set(key: string, value: string, options: SetOptions): Promise<string | undefined> {
    const { ttlMs, ifAbsent = false, ifVersion } = options;
    const name = this.#names.of("value", key);
    const version = `${this.#origin}-${(++this.#versions).toString(36)}`;
    const text = `${version}:${value}`;
    const ttl = wholeMs(ttlMs);
    if (ifVersion === undefined) {
      const condition = ifAbsent ? ["NX"] : [];
      const answer = await this.#commands.write(name, "SET", name, text, "PX", String(ttl), ...condition);
      return answer === null ? undefined : version;
    }
    // No key is absent and has a version.
    if (ifAbsent) return undefined;
    const isSet = await this.#commands.runWrite(scripts.setIfVersion, [name], [ifVersion, text, ttl]);
    return isSet === 1 ? version : undefined;
  }

  async delete(key: string, { ifVersion }: { readonly ifVersion?: string } = {}): Promise<boolean> {
    const name = this.#names.of("value", key);
    const count = await (ifVersion === undefined
      ? this.#commands.write(name, "DEL", name)
      : this.#commands.runWrite(scripts.deleteIfVersion, [name], [ifVersion]));
    return count === 1;
  }

  async append(stream: string, values: readonly string[], options: AppendOptions): Promise<string[]> {
    if (values.length === 0) return [];
    const { maxBytes, ttlMs } = options;
    const args = [maxBytes, wholeMs(ttlMs), this.#topic(this.#names.streamTopic(stream)), ...values];
    const name = this.#names.of("stream", stream);
    return (await this.#commands.runWrite(scripts.append, [name], args)) as string[];
  }

  async read(stream: string, after: string, options: ReadOptions = {}): Promise<StreamPart> {
    const { limit = DEFAULT_READ_LIMIT, waitMs = 0, signal } = options;
    const none: StreamPart = { entries: [], gap: false };
    const [, began = "", number = ""] = ENTRY_ID.exec(after) ?? [];
    // What clients send as the last event that they have seen may be anything.
    if (after !== "" && began === "") return { ...none, gap: true };
    const name = this.#names.of("stream", stream);
    const read = async (): Promise<StreamPart | undefined> => {
      const part = partOf(
        (await this.#commands.run(scripts.read, [name], [began, number, limit])) as StreamReply,
      );
      return part.entries.length > 0 || part.gap ? part : undefined;
    };
    const { wakes, closing } = this.#opened();
    const found = await read();
    if (found !== undefined || waitMs <= 0) return found ?? none;
    const signals = signal === undefined ? [closing.signal] : [signal, closing.signal];
    const topic = this.#topic(this.#names.streamTopic(stream));
    return (await wakes.waitFor(topic, read, waitMs, AbortSignal.any(signals))) ?? none;
  }

  async publish(topic: string, message: string): Promise<void> {
    const name = this.#topic(this.#names.topic(topic));
    await this.#commands.sendToNode(name, "PUBLISH", name, message);
  }

  async subscribe(
    topics: readonly string[],
    onMessage: (message: string, topic: string) => void,
    onGap: () => void,
  ): Promise<() => Promise<void>> {
    const byName = new Map(topics.map((topic) => [this.#topic(this.#names.topic(topic)), topic]));
    const receive = (message: string, name: string): void => onMessage(message, byName.get(name) ?? name);
    return this.#opened().subscriber.subscribe([...byName.keys()], receive, onGap);
  }

  async take(uses: readonly CountedUse[]): Promise<UsedUp | undefined> {
    if (uses.length === 0) return undefined;
    const names = uses.map(({ key }) => this.#names.of("count", key));
    const args = uses.flatMap(({ calls, windowMs }) => [calls, windowMs]);
    const usedUp = (await this.#commands.run(scripts.take, names, args)) as [number, number] | null;
    return usedUp === null ? undefined : { index: usedUp[0], retryAfterMs: usedUp[1] };
  }

  async lease(key: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const names = [this.#names.of("value", key), this.#names.of("fence", key)];
    const ttl = wholeMs(ttlMs);
    const fence = (await this.#commands.runWrite(scripts.lease, names, [holder, ttl])) as string | null;
    if (fence === null) return undefined;
    return {
      fence: Number(fence),
      renew: async () => (await this.#commands.runWrite(scripts.renew, names, [fence, ttl])) === 1,
      release: async () => {
        await this.#commands.runWrite(scripts.deleteIfVersion, names.slice(0, 1), [fence]);
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = this.#open;
    this.#open = undefined;
    open?.closing.abort();
    open?.wakes.close();
    open?.subscriber.close();
    open?.connection.close();
  }

  get #commands(): Commands {
    return this.#opened().commands;
  }

  #opened(): Open {
    if (this.#isClosed) throw new Error("The store is closed.");
    if (this.#open !== undefined) return this.#open;
    const connection = connectionTo(this.#settings);
    const subscriber = new Subscriber(connection, this.#settings.timeoutMs);
    this.#open = {
      connection,
      commands: new Commands(connection, this.#settings),
      subscriber,
      wakes: new StreamWakes(subscriber),
      closing: new AbortController(),
    };
    return this.#open;
  }

  /** Topics are of all databases of a Redis. */
  #topic(name: string): string {
    const { database } = this.#opened().connection;
    return database === 0 ? name : `${database}|${name}`;
  }
}

/** Whether there is a gap, when the stream began, the number of the first value, the values. */
type StreamReply = [gap: number, began: string, first: number, ...values: string[]];

function partOf([gap, began, first, ...values]: StreamReply): StreamPart {
  const entries = values.map((value, index): StreamEntry => ({ id: `${began}-${first + index}`, value }));
  return { entries, gap: gap === 1 };
}

/** Redis takes whole milliseconds, and none for no time. */
function wholeMs(ms: number): number {
  return Math.max(1, Math.ceil(ms));
}

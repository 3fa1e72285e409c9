import { type Change, getChangeKey, type Notifier } from "../../api/notifier.js";
import type { ReadOptions, StreamEntry, StreamPart } from "../../api/store.js";
import type { Replica } from "../replicas/replica.js";
import { ChangeThrottle } from "../../call/subscriptions/change-throttle.js";
import { retry, getRetryDelayMs, sleep } from "../../store/retry.js";
import { followStream } from "../replicas/follow-stream.js";
import type { SharedChanges } from "../../call/joined-store.js";
import {
  type ChangeEvent,
  readChangeEvent,
  getChanges,
  mergeChanges,
  type StoredChangeEvent,
  writeUnreadableEvent,
} from "./change-event.js";
import {
  type ChangeEventsSince,
  type ChangesStart,
  readSince,
  RecentChangeEvents,
} from "./change-events-since.js";

/** Maximum number of changes that wait for an unreachable store. If there are more, anything may have changed. */
const MAX_PENDING_CHANGES = 10_000;

const MAX_BYTES = 1024 * 1024;
const TTL_MS = 60 * 60 * 1000;

/**
 * Maximum time between two reads of the stream, in milliseconds, since the messages that announce entries may be lost.
 */
const MAX_WAIT_MS = 5000;

/**
 * The time without changes after which the stream is written to, long before it expires, so that cursors stay valid.
 */
const REFRESH_INTERVAL_MS = TTL_MS / 3;

/**
 * Receives changes of this or another process, and the cursor after them.
 *
 * @param changes undefined if some may have been missed
 */
export type ChangeFollower = (changes: readonly Change[] | undefined, cursor: string) => void;

export interface FollowedChanges {
  /** The cursor at the start. */
  readonly from: string;
  /** Delivers the changes since the start, and then new ones. */
  begin(): void;
  stop(): void;
}

/**
 * The changes of all replicas, in a stream of the store with one order for all. A replica that has missed changes
 * reads them there. Listeners of this replica receive its own changes immediately, and only once.
 */
export class StoreChanges implements SharedChanges {
  readonly #replica: Replica;
  readonly #stream: string;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #missedListeners = new Set<() => void>();
  /** The changes of this replica that are not in the stream yet, by their keys. */
  #unsent = new Map<string, Change>();
  #hasMore = false;
  readonly #throttle = new ChangeThrottle<Change>((changes) => this.#queue(changes));
  #sending: Promise<void> | undefined;
  readonly #closing = new AbortController();
  /** The last entry that this process has received. */
  #lastId: string | undefined;
  readonly #followers = new Set<(event: StoredChangeEvent | undefined) => void>();
  readonly #recent = new RecentChangeEvents();
  #started: Promise<void> | undefined;
  #lastEntry = 0;
  readonly #stop: () => void;

  constructor(replica: Replica, notifier: Notifier) {
    this.#replica = replica;
    this.#stream = replica.toKey("changes");
    this.#stop = notifier.onChange((change) => this.#announce(change));
  }

  /** Starts receiving changes of others, now or as soon as the store is reachable. */
  start(): void {
    this.#started = this.#openStream();
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener);
    return () => this.#missedListeners.delete(listener);
  }

  /**
   * Follows the changes of all replicas, in one order for all.
   *
   * @throws ProtocolError while the store is unreachable
   */
  async follow(start: ChangesStart, follower: ChangeFollower): Promise<FollowedChanges> {
    const pendingIds = new Set<string>();
    /** The events received before `begin` is called. */
    let early: (StoredChangeEvent | undefined)[] | undefined = [];
    const receive = (event: StoredChangeEvent | undefined): void => {
      if (early !== undefined) early.push(event);
      else if (event === undefined) follower(undefined, "");
      else if (!pendingIds.delete(event.id)) follower(getChanges(event), event.id);
    };
    this.#followers.add(receive);
    const stop = (): void => void this.#followers.delete(receive);
    try {
      await this.#started;
      const { from, events, cursor } = await this.#readSince(start, pendingIds);
      const begin = (): void => {
        const received = early ?? [];
        early = undefined;
        if (events === undefined) follower(undefined, cursor);
        else if (events.length > 0) follower(mergeChanges(events), cursor);
        for (const each of received) receive(each);
      };
      return { from, begin, stop };
    } catch (error) {
      stop();
      throw error;
    }
  }

  /** Stops, and sends the remaining changes to the other processes if the store is reachable. */
  async close(): Promise<void> {
    this.#stop();
    this.#closing.abort();
    this.#throttle.flush();
    await this.#sending;
  }

  #announce(change: Change): void {
    for (const listener of this.#listeners) listener(change);
    if (this.#throttle.size < MAX_PENDING_CHANGES) this.#throttle.add(change);
    else this.#queue([], true);
  }

  /**
   * Queues changes for the stream.
   *
   * @param more whether there are changes that are not listed
   */
  #queue(changes: readonly Change[], more = false): void {
    this.#hasMore ||= more;
    for (const change of changes) {
      if (this.#unsent.size < MAX_PENDING_CHANGES) this.#unsent.set(getChangeKey(change), change);
      else this.#hasMore = true;
    }
    this.#sending ??= this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    await Promise.resolve();
    let failures = 0;
    while (this.#unsent.size > 0 || this.#hasMore) {
      const unsent = this.#unsent;
      const more = this.#hasMore;
      this.#unsent = new Map();
      this.#hasMore = false;
      try {
        await this.#append([...unsent.values()], more);
        failures = 0;
      } catch {
        this.#unsent = new Map([...unsent, ...this.#unsent]);
        this.#hasMore ||= more;
        if (this.#closing.signal.aborted) break;
        await sleep(getRetryDelayMs(++failures), this.#closing.signal);
      }
    }
    this.#sending = undefined;
  }

  /** Finds the end of the stream by writing to it. Earlier subscribers may have missed changes. */
  async #openStream(): Promise<void> {
    const { signal } = this.#closing;
    const after = await retry(() => this.#append([]), { isFinal: () => signal.aborted }).catch(() => "");
    if (signal.aborted) return;
    this.#recent.begin(after);
    this.#lastId = after;
    void followStream({
      read: (last, options) => this.#read(last, options),
      after,
      signal,
      getWaitMs: () => MAX_WAIT_MS,
      onEntries: ({ entries, missed }) => {
        if (missed) this.#handleLoss();
        for (const entry of entries) this.#receive(entry);
      },
      onSilence: () => this.#refresh(),
    });
    this.#notifyMissed();
  }

  /**
   * Reads the changes since a start.
   *
   * @param pendingIds receives the IDs of those that this process has yet to receive
   */
  async #readSince(start: ChangesStart, pendingIds: Set<string>): Promise<ChangeEventsSince> {
    const recent = this.#recent.findSince(start);
    if (recent !== undefined) return recent;
    const lastReceived = this.#lastId;
    const read = await readSince((after) => this.#read(after), start);
    const { events = [] } = read;
    const lastIndex = events.findLastIndex(({ id }) => id === lastReceived);
    for (const { id } of events.slice(lastIndex + 1)) pendingIds.add(id);
    return read;
  }

  /** Reads the stream. A process with other keys may have written to it, and must not stop the changes after its own. */
  #read(after: string, options?: ReadOptions): Promise<StreamPart> {
    return this.#replica.store.read(this.#stream, after, { ...options, unreadable: writeUnreadableEvent() });
  }

  async #append(changes: readonly Change[], more = false): Promise<string> {
    const { id: from } = this.#replica;
    const event: ChangeEvent = { from, at: Date.now(), changes, ...(more && { hasMore: more }) };
    const options = { maxBytes: MAX_BYTES, ttlMs: TTL_MS };
    const [id = ""] = await this.#replica.store.append(this.#stream, [JSON.stringify(event)], options);
    this.#lastEntry = performance.now();
    return id;
  }

  #receive(entry: StreamEntry): void {
    this.#lastEntry = performance.now();
    this.#lastId = entry.id;
    const event = readChangeEvent(entry);
    this.#recent.add(event);
    for (const receive of this.#followers) receive(event);
    const { from, changes, hasMore: more = false } = event;
    if (from === this.#replica.id) return;
    if (more) this.#notifyMissed();
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }

  /** Handles the loss of events that expired before they were read. */
  #handleLoss(): void {
    this.#recent.clear();
    for (const receive of this.#followers) receive(undefined);
    this.#notifyMissed();
  }

  #notifyMissed(): void {
    for (const listener of this.#missedListeners) listener();
  }

  /** Writes to a stream without changes before it expires. */
  async #refresh(): Promise<void> {
    if (performance.now() - this.#lastEntry > REFRESH_INTERVAL_MS) await this.#append([]);
  }
}

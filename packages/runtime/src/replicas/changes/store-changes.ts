import { type Change, changeKey, type Notifier } from "../../api/notifier.js";
import type { StreamEntry } from "../../api/store.js";
import type { Replica } from "../replica.js";
import { ChangePace } from "../../subscriptions/change-pace.js";
import type { SharedChanges } from "../sharing.js";
import {
  type Announcement,
  announcementOf,
  changesOf,
  mergedChanges,
  type PlacedAnnouncement,
} from "./announcement.js";
import {
  type AnnouncementsSince,
  type ChangesStart,
  readSince,
  RecentAnnouncements,
} from "./announcements-since.js";
import { StreamTail } from "./stream-tail.js";

/** Says to the others that there is more in the stream. */
const CHANGED = "changes";

/** How many changes wait for a store that cannot be asked; when there are more, anything may have changed. */
const MOST_UNTOLD = 10_000;

const MOST_BYTES = 1024 * 1024;
const TTL_MS = 60 * 60 * 1000;

/** How often the stream is polled, should nobody say that there is more in it. */
const POLL_MS = 5000;

/** Long before the stream is forgotten: it is written to where nothing changes, so that places in it stay known. */
const REFRESH_MS = TTL_MS / 3;

const RETRY_MS = 1000;

/**
 * Takes what was announced, here or elsewhere, and the place behind it.
 *
 * @param changes undefined where any may have been missed
 */
export type ChangeFollower = (changes: readonly Change[] | undefined, place: string) => void;

export interface FollowedChanges {
  /** The place where it begins. */
  readonly from: string;
  /** Hands over what was announced since, and then what comes. */
  begin(): void;
  stop(): void;
}

/**
 * The changes that any replica announces, in a stream of the store: one order for all, and whoever missed some reads
 * them. What is announced here is heard here at once, and once.
 */
export class StoreChanges implements SharedChanges {
  readonly #replica: Replica;
  readonly #stream: string;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #gapListeners = new Set<() => void>();
  /** Announced here and not yet in the stream, by what changed. */
  #untold = new Map<string, Change>();
  #hasMore = false;
  readonly #pace = new ChangePace<Change>((changes) => this.#tell(changes));
  #telling: Promise<void> | undefined;
  #tail: StreamTail | undefined;
  readonly #followers = new Set<(announced: PlacedAnnouncement | undefined) => void>();
  readonly #recent = new RecentAnnouncements();
  #entering: Promise<void> | undefined;
  #lastEntry = 0;
  readonly #stops: (() => void)[];
  readonly #endPauses = new Set<() => void>();
  #isClosed = false;

  constructor(replica: Replica, notifier: Notifier) {
    this.#replica = replica;
    this.#stream = replica.key("changes");
    const poll = setInterval(() => this.#poll(), POLL_MS).unref();
    this.#stops = [
      notifier.onChange((change) => this.#announce(change)),
      replica.on(CHANGED, () => this.#tail?.wake()),
      replica.onGap(() => this.#tail?.wake()),
      () => clearInterval(poll),
      () => {
        for (const end of this.#endPauses) end();
      },
      () => this.#tail?.close(),
    ];
  }

  /** Begins to hear of what others announce, now or as soon as the store can be asked. */
  start(): void {
    this.#entering = this.#enter();
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  /**
   * Follows what is announced here and elsewhere, in one order for all.
   *
   * @throws ProtocolError while the store cannot be asked
   */
  async follow(start: ChangesStart, follower: ChangeFollower): Promise<FollowedChanges> {
    const unheard = new Set<string>();
    /** Until it begins. */
    let waiting: (PlacedAnnouncement | undefined)[] | undefined = [];
    const hear = (announced: PlacedAnnouncement | undefined): void => {
      if (waiting !== undefined) waiting.push(announced);
      else if (announced === undefined) follower(undefined, "");
      else if (!unheard.delete(announced.id)) follower(changesOf(announced), announced.id);
    };
    this.#followers.add(hear);
    const stop = (): void => void this.#followers.delete(hear);
    try {
      await this.#entering;
      const { from, announced, place } = await this.#since(start, unheard);
      const begin = (): void => {
        const heard = waiting ?? [];
        waiting = undefined;
        if (announced === undefined) follower(undefined, place);
        else if (announced.length > 0) follower(mergedChanges(announced), place);
        for (const each of heard) hear(each);
      };
      return { from, begin, stop };
    } catch (error) {
      stop();
      throw error;
    }
  }

  /** What was announced before is still told to the others, if the store can be asked. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#pace.flush();
    await this.#telling;
  }

  #announce(change: Change): void {
    for (const listener of this.#listeners) listener(change);
    if (this.#pace.size < MOST_UNTOLD) this.#pace.add(change);
    else this.#tell([], true);
  }

  /** @param more there are others that cannot be named */
  #tell(changes: readonly Change[], more = false): void {
    this.#hasMore ||= more;
    for (const change of changes) {
      if (this.#untold.size < MOST_UNTOLD) this.#untold.set(changeKey(change), change);
      else this.#hasMore = true;
    }
    this.#telling ??= this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    await Promise.resolve();
    while (this.#untold.size > 0 || this.#hasMore) {
      const untold = this.#untold;
      const more = this.#hasMore;
      this.#untold = new Map();
      this.#hasMore = false;
      try {
        await this.#append([...untold.values()], more);
        this.#tail?.wake();
        // Whoever does not hear of it looks by itself, a little later.
        await this.#replica.tellAll(CHANGED, null).catch(() => {});
      } catch {
        this.#untold = new Map([...untold, ...this.#untold]);
        this.#hasMore ||= more;
        if (this.#isClosed) break;
        await this.#pause();
      }
    }
    this.#telling = undefined;
  }

  /** Finds the end of the stream by writing to it. Whoever has subscribed before may have missed something. */
  async #enter(): Promise<void> {
    let after = "";
    while (after === "" && !this.#isClosed) {
      try {
        after = await this.#append([]);
      } catch {
        await this.#pause();
      }
    }
    if (this.#isClosed) return;
    this.#recent.begin(after);
    this.#tail = new StreamTail({
      replica: this.#replica,
      stream: this.#stream,
      after,
      onEntry: (entry) => this.#hear(entry),
      onGap: () => this.#lose(),
    });
    this.#missed();
  }

  /** @param unheard gets those of what is read that this process has yet to hear */
  async #since(start: ChangesStart, unheard: Set<string>): Promise<AnnouncementsSince> {
    const remembered = this.#recent.since(start);
    if (remembered !== undefined) return remembered;
    const heardThrough = this.#tail?.place;
    const read = await readSince(this.#replica.store, this.#stream, start);
    const { announced = [] } = read;
    const heard = announced.findLastIndex(({ id }) => id === heardThrough);
    for (const { id } of announced.slice(heard + 1)) unheard.add(id);
    return read;
  }

  async #append(changes: readonly Change[], more = false): Promise<string> {
    const { id: from } = this.#replica;
    const announcement: Announcement = { from, at: Date.now(), changes, ...(more && { more }) };
    const options = { maxBytes: MOST_BYTES, ttlMs: TTL_MS };
    const [id = ""] = await this.#replica.store.append(this.#stream, [JSON.stringify(announcement)], options);
    this.#lastEntry = performance.now();
    return id;
  }

  #hear(entry: StreamEntry): void {
    this.#lastEntry = performance.now();
    const announced = announcementOf(entry);
    this.#recent.add(announced);
    for (const hear of this.#followers) hear(announced);
    const { from, changes, more = false } = announced;
    if (from === this.#replica.id) return;
    if (more) this.#missed();
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }

  /** Announcements were lost before they could be read. */
  #lose(): void {
    this.#recent.lose();
    for (const hear of this.#followers) hear(undefined);
    this.#missed();
  }

  #missed(): void {
    for (const listener of this.#gapListeners) listener();
  }

  #poll(): void {
    this.#tail?.wake();
    if (performance.now() - this.#lastEntry > REFRESH_MS) void this.#append([]).catch(() => {});
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#endPauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, RETRY_MS).unref();
      this.#endPauses.add(end);
    });
  }
}

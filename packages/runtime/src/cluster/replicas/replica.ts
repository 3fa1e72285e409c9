import type { LogSink } from "../../api/log.js";
import type { Lease, Store } from "../../api/store.js";
import { formatDuration } from "../../data/explanations/format-duration.js";
import { maskSecrets } from "../../observe/log/mask-secrets.js";
import { retry, getRetryDelayMs, sleep } from "../../store/retry.js";
import { type EncryptedStore, encryptStore } from "./encrypted-store.js";
import { guardStore, createStoreUnreachableError } from "../../store/store-outages.js";

/** The time after which a crashed replica is considered dead, in milliseconds. */
const LEASE_MS = 10_000;

const RENEW_INTERVAL_MS = 3000;

/** The interval at which a replica that waits for its lease checks it, in milliseconds. */
const HELD_CHECK_INTERVAL_MS = 50;
const MAX_HELD_CHECKS = 100;

const LEASE_LOST =
  `The store no longer had the lease of this process: it was unreachable for ${formatDuration(LEASE_MS)}, or has lost ` +
  "data. Calls and tasks that it has lost end with an error.";

export interface ReplicaOptions {
  readonly store: Store;
  /** The name of the server. It separates keys and topics from those of other servers in the same store. */
  readonly name: string;
  readonly log: LogSink;
  /** The value of `TENON_STATE_KEYS`. */
  readonly stateKeys?: string | undefined;
}

/** Receives the messages from other replicas. */
export type ReplicaListener = (payload: unknown, from: string) => void;

/** A message between replicas. */
interface Envelope {
  readonly from: string;
  readonly kind: string;
  readonly payload: unknown;
}

/** This process among those that serve the same clients. */
export class Replica {
  readonly id = globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 16);
  /** The store of the author, wrapped so that it holds encrypted values, and clients receive neutral errors. */
  readonly store: EncryptedStore;
  readonly #name: string;
  readonly #log: LogSink;
  readonly #listeners = new Map<string, Set<ReplicaListener>>();
  readonly #missedListeners = new Set<() => void>();
  #lease: Lease | undefined;
  #heldUntil = 0;
  /** The renewal in progress, if any. */
  #renewal: Promise<boolean> | undefined;
  /** The time until which all replicas are assumed to be alive. */
  #graceUntil = 0;
  #unsubscribe: (() => Promise<void>) | undefined;
  readonly #closing = new AbortController();

  constructor({ store, name, log, stateKeys }: ReplicaOptions) {
    // The error of a store may contain its URL.
    const logMasked: LogSink = (entry) => log({ ...entry, msg: maskSecrets(entry.msg) });
    this.store = encryptStore(guardStore(store, logMasked), stateKeys, log);
    this.#name = name;
    this.#log = log;
  }

  /**
   * Whether no other replica can consider this one dead. Work that outlasts a request checks this before it writes,
   * so that a process that was paused does not continue work that another has taken over.
   */
  get isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  /**
   * Resolves when no other replica can consider this one dead, normally a moment after its start.
   *
   * @throws ProtocolError if the store was unreachable for several seconds
   */
  async waitForLease(): Promise<void> {
    for (let checks = 0; !this.isHeld; checks++) {
      if (checks === MAX_HELD_CHECKS || this.#closing.signal.aborted) throw createStoreUnreachableError();
      await sleep(HELD_CHECK_INTERVAL_MS, this.#closing.signal);
    }
  }

  /** The fencing token of the current lease. It changes whenever other replicas may have considered this one dead. */
  get term(): number {
    return this.#lease?.fencingToken ?? 0;
  }

  /** Returns the name of a key or a topic of this server. */
  toKey(text: string): string {
    return `tenon:${this.#name}:${text}`;
  }

  /** Announces this replica to the others, now or as soon as the store is reachable. */
  start(): void {
    void this.#hold();
    void this.#listen();
  }

  /** Listens for messages from other replicas. Returns a function that stops it. */
  on(kind: string, listener: ReplicaListener): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /**
   * Listens for gaps: messages from other replicas may be lost, and so may data in the store. Returns a function that
   * stops it.
   */
  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener);
    return () => this.#missedListeners.delete(listener);
  }

  /**
   * Sends a message to one replica. If that replica has crashed, the message is lost, so important data is stored
   * first.
   */
  send(replica: string, kind: string, payload: unknown): Promise<void> {
    return this.#publish(this.#getInbox(replica), kind, payload);
  }

  /** Sends a message to all other replicas. */
  broadcast(kind: string, payload: unknown): Promise<void> {
    return this.#publish(this.toKey("all"), kind, payload);
  }

  /**
   * Returns whether a replica is alive, or was a moment ago.
   *
   * @throws ProtocolError while the store is unreachable
   */
  async isAlive(replica: string): Promise<boolean> {
    if (replica === this.id || (await this.store.get(this.#getLeaseKey(replica))) !== undefined) return true;
    // A store that was stopped or has lost its data holds no leases until each replica has renewed its own.
    if (!(await this.#renew())) throw createStoreUnreachableError();
    return performance.now() < this.#graceUntil;
  }

  /** Withdraws this replica. The store stays open. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#heldUntil = 0;
    // If the store is unreachable, the lease and the subscription expire by themselves.
    await Promise.allSettled([this.#lease?.release(), this.#unsubscribe?.()]);
  }

  async #hold(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      failures = (await this.#renew()) ? 0 : failures + 1;
      await sleep(
        failures === 0 ? RENEW_INTERVAL_MS : Math.min(RENEW_INTERVAL_MS, getRetryDelayMs(failures)),
        signal,
      );
    }
  }

  /** Renews the lease, or acquires a new one. Returns false if the store is unreachable. */
  #renew(): Promise<boolean> {
    this.#renewal ??= this.#renewNow().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #renewNow(): Promise<boolean> {
    const now = performance.now();
    const before = this.#lease;
    try {
      if ((await before?.renew()) !== true) {
        this.#lease = await this.store.lease(this.#getLeaseKey(this.id), this.id, LEASE_MS);
      }
      if (this.#closing.signal.aborted) await this.#lease?.release();
      else if (this.#lease !== undefined) this.#heldUntil = now + LEASE_MS;
    } catch {
      // The store has logged the error.
      return false;
    }
    if (before !== undefined && this.#lease !== before) {
      this.#graceUntil = performance.now() + LEASE_MS;
      this.#log({ level: "warn", event: "lease-lost", msg: LEASE_LOST });
      this.#notifyMissed();
    }
    return true;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    const topics = [this.#getInbox(this.id), this.toKey("all")];
    let attempts = 0;
    const subscribe = (): Promise<() => Promise<void>> => {
      attempts++;
      return this.store.subscribe(
        topics,
        (text) => this.#receive(text),
        () => this.#notifyMissed(),
      );
    };
    try {
      const unsubscribe = await retry(subscribe, { isFinal: () => signal.aborted });
      if (signal.aborted) return await unsubscribe();
      this.#unsubscribe = unsubscribe;
      if (attempts > 1) this.#notifyMissed();
    } catch {
      // The replica was closed in the meantime.
    }
  }

  #receive(text: string): void {
    const { from, kind, payload } = JSON.parse(text) as Envelope;
    if (from === this.id) return;
    for (const listener of this.#listeners.get(kind) ?? []) listener(payload, from);
  }

  #notifyMissed(): void {
    for (const listener of this.#missedListeners) listener();
  }

  #publish(topic: string, kind: string, payload: unknown): Promise<void> {
    const envelope: Envelope = { from: this.id, kind, payload };
    return this.store.publish(topic, JSON.stringify(envelope));
  }

  #getInbox(replica: string): string {
    return this.toKey(`inbox:${replica}`);
  }

  #getLeaseKey(replica: string): string {
    return this.toKey(`replica:${replica}`);
  }
}

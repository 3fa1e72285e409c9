import type { LogSink } from "../api/log.js";
import type { Lease, Store } from "../api/store.js";
import { guardedStore, unreachable } from "./guarded-store.js";

/** How long a replica that has died is taken to be alive, in milliseconds. */
const LEASE_MS = 10_000;

const RENEW_MS = 3000;

/** How often a replica that others may take for dead looks whether it still is, and how many times. */
const HELD_CHECK_MS = 50;
const HELD_CHECKS = 100;

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

export interface ReplicaOptions {
  readonly store: Store;
  /** That of the server: keys and topics of other servers in the same store are others. */
  readonly name: string;
  readonly log: LogSink;
}

/** Takes what another replica tells. */
export type ReplicaListener = (payload: unknown, from: string) => void;

/** What replicas send each other. */
interface Envelope {
  readonly from: string;
  readonly kind: string;
  readonly payload: unknown;
}

/** This process among those that serve the same clients. */
export class Replica {
  readonly id = globalThis.crypto.randomUUID().replaceAll("-", "").slice(0, 16);
  /** As the author's, but clients are told of its failures in words that are meant for them. */
  readonly store: Store;
  readonly #name: string;
  readonly #listeners = new Map<string, Set<ReplicaListener>>();
  readonly #gapListeners = new Set<() => void>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #lease: Lease | undefined;
  #heldUntil = 0;
  #unsubscribe: (() => Promise<void>) | undefined;
  #isClosed = false;

  constructor({ store, name, log }: ReplicaOptions) {
    this.store = guardedStore(store, log);
    this.#name = name;
  }

  /**
   * True while no other replica can take this one for dead. What goes on for longer than a request asks before it
   * writes, so that a process which was stopped for a while does not go on with what another has taken over.
   */
  get isHeld(): boolean {
    return performance.now() < this.#heldUntil;
  }

  /**
   * Resolves once no other replica can take this one for dead, as is so from a moment after its start.
   *
   * @throws ProtocolError when the store could not be asked for seconds
   */
  async whenHeld(): Promise<void> {
    for (let checks = 0; !this.isHeld; checks++) {
      if (checks === HELD_CHECKS || this.#isClosed) throw unreachable();
      await new Promise((resolve) => setTimeout(resolve, HELD_CHECK_MS));
    }
  }

  /** Another number each time that this replica was, or may have been, taken for dead in between. */
  get term(): number {
    return this.#lease?.fence ?? 0;
  }

  /** The name of a key or a topic of this server. */
  key(text: string): string {
    return `tenon:${this.#name}:${text}`;
  }

  /** Begins to be found by other replicas, now or as soon as the store can be asked. */
  start(): void {
    void this.#hold();
    void this.#listen(FIRST_RETRY_MS);
  }

  /** Calls back with what other replicas tell. Returns what stops it. */
  on(kind: string, listener: ReplicaListener): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Calls back when other replicas may have told something that did not arrive. Returns what stops it. */
  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  /** Tells one replica; when it has died, nobody. What must not be lost is in the store before. */
  tell(replica: string, kind: string, payload: unknown): Promise<void> {
    return this.#send(this.#inboxOf(replica), kind, payload);
  }

  /** Tells all other replicas. */
  tellAll(kind: string, payload: unknown): Promise<void> {
    return this.#send(this.key("all"), kind, payload);
  }

  /** Whether a replica is at work, or was so a moment ago. */
  async isAlive(replica: string): Promise<boolean> {
    return replica === this.id || (await this.store.get(this.#leaseOf(replica))) !== undefined;
  }

  /** Is found no more. The store stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#heldUntil = 0;
    // A store that cannot be asked lets go by itself, later.
    await Promise.allSettled([this.#lease?.release(), this.#unsubscribe?.()]);
  }

  async #hold(): Promise<void> {
    const now = performance.now();
    try {
      if ((await this.#lease?.renew()) !== true) {
        this.#lease = await this.store.lease(this.#leaseOf(this.id), this.id, LEASE_MS);
      }
      if (this.#lease !== undefined) this.#heldUntil = now + LEASE_MS;
    } catch {
      // The log has it.
    }
    if (this.#isClosed) await this.#lease?.release().catch(() => {});
    else this.#later(RENEW_MS, () => void this.#hold());
  }

  async #listen(retryMs: number): Promise<void> {
    try {
      const topics = [this.#inboxOf(this.id), this.key("all")];
      const unsubscribe = await this.store.subscribe(
        topics,
        (text) => this.#receive(text),
        () => this.#gap(),
      );
      if (this.#isClosed) return await unsubscribe();
      this.#unsubscribe = unsubscribe;
      if (retryMs > FIRST_RETRY_MS) this.#gap();
    } catch {
      if (this.#isClosed) return;
      this.#later(retryMs * (0.5 + Math.random()), () => {
        void this.#listen(Math.min(retryMs * 2, LAST_RETRY_MS));
      });
    }
  }

  #receive(text: string): void {
    const { from, kind, payload } = JSON.parse(text) as Envelope;
    if (from === this.id) return;
    for (const listener of this.#listeners.get(kind) ?? []) listener(payload, from);
  }

  #gap(): void {
    for (const listener of this.#gapListeners) listener();
  }

  #send(topic: string, kind: string, payload: unknown): Promise<void> {
    const envelope: Envelope = { from: this.id, kind, payload };
    return this.store.publish(topic, JSON.stringify(envelope));
  }

  #inboxOf(replica: string): string {
    return this.key(`inbox:${replica}`);
  }

  #leaseOf(replica: string): string {
    return this.key(`replica:${replica}`);
  }

  #later(ms: number, listener: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      listener();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }
}

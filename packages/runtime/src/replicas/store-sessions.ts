import type { Principal } from "../api/caller.js";
import type { Limits } from "../api/limits.js";
import type { Agreement, SessionChange, SessionState } from "../protocol/agreement.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { Replica } from "./replica.js";
import {
  agreementIn,
  newRecord,
  readRecord,
  recordNameIn,
  type SessionRecord,
  withChange,
} from "./session-record.js";

export interface FoundSession {
  readonly agreement: Agreement;
  readonly state: SessionState;
  /** The store could not be asked, so there may be more to know. */
  readonly isStale: boolean;
}

/** What one process has of a session. */
export interface SessionCopy {
  readonly agreement: Agreement;
  /** Others may have changed the session since this process has heard of it. */
  isStale: boolean;
  /** Others have changed the session. */
  restore(state: SessionState): void;
  /** It has ended elsewhere. */
  end(): void;
  /** Takes a message that its client has sent to another process. */
  receive(message: unknown): void;
}

/** The id of a question, and in it the replica that asks. */
const QUESTION_ID = /^tenon-([\da-f]{16})-\d+$/;

/** What replicas tell each other. */
const CHANGED = "session-changed";
const ENDED = "session-ended";
const MESSAGE = "session-message";

/** Concern whoever is at work for the session. */
const FOR_ALL: ReadonlySet<unknown> = new Set([
  "notifications/cancelled",
  "notifications/roots/list_changed",
]);

/**
 * Legacy sessions in the store: what was agreed, unless the id carries it; what the client has changed since; and that it
 * has ended. A process reads the record when it first sees the session, when another has changed it, and once more
 * when it may have missed that.
 */
export class StoreSessions {
  readonly #replica: Replica;
  readonly #limits: Limits;
  /** This process's copies, by the agreement's id. Each HTTP endpoint may have one. */
  readonly #copies = new Map<string, Set<SessionCopy>>();
  /** What is being done about a session, so that no copy gets an earlier state after a later one. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(replica: Replica, limits: Limits) {
    this.#replica = replica;
    this.#limits = limits;
    replica.on(CHANGED, (id) => void this.#refresh(id as string));
    replica.on(ENDED, (id) => this.#endCopies(id as string));
    replica.on(MESSAGE, (payload) => {
      const { id, message } = payload as { id: string; message: unknown };
      for (const copy of this.#copiesOf(id)) copy.receive(message);
    });
    replica.onGap(() => {
      for (const id of this.#copies.keys()) this.#distrustCopies(id);
    });
  }

  /**
   * Has other processes find a session whose id carries nothing.
   *
   * @returns its id. Rejects when the store cannot be asked
   */
  async open(agreement: Agreement, principal: Principal | undefined): Promise<string> {
    const { id, record } = newRecord(agreement, principal);
    await this.#save(agreement, record, { ifAbsent: true });
    return id;
  }

  /**
   * The session of that id; `undefined` when there is none for the principal, or it has ended. While the store cannot be
   * asked, all that is known is what an encrypted id carries, and it rejects for any other.
   *
   * @param carried what the id carries
   */
  async find(
    id: string,
    principal: Principal | undefined,
    carried: Agreement | undefined,
  ): Promise<FoundSession | undefined> {
    const name = carried?.id ?? recordNameIn(id);
    if (name === undefined) return undefined;
    let record: SessionRecord | undefined;
    try {
      record = await this.#inTurn(name, () => this.#read(name));
    } catch (error) {
      if (carried === undefined) throw error;
      return { agreement: carried, state: {}, isStale: true };
    }
    const agreement = carried ?? agreementIn(record, name, id, principal);
    if (agreement === undefined || record?.ended === true) return undefined;
    return { agreement, state: record ?? {}, isStale: false };
  }

  /** Tells this process's copy of a session what becomes of the session elsewhere. Returns what stops that. */
  attach(copy: SessionCopy): () => void {
    const { id } = copy.agreement;
    const copies = this.#copies.get(id) ?? new Set();
    this.#copies.set(id, copies.add(copy));
    return () => {
      copies.delete(copy);
      if (copies.size === 0) this.#copies.delete(id);
    };
  }

  /** The session has been used, so it is kept for another while. */
  extend(agreement: Agreement): void {
    const update = this.#update(agreement, (record) => record);
    // The next use tries again; the log has it.
    update.catch(() => {});
  }

  /** Keeps what a client has changed, and tells it to the others. Rejects when it is not kept. */
  async remember(agreement: Agreement, change: SessionChange): Promise<void> {
    await this.#update(agreement, (record = {}) => withChange(record, change));
    await this.#replica.tellAll(CHANGED, agreement.id);
  }

  /** Ends a session everywhere. Rejects when that is not kept. */
  async end(agreement: Agreement): Promise<void> {
    const { id, idExpires } = agreement;
    await this.#inTurn(id, async () => {
      if (idExpires === undefined) await this.#replica.store.delete(this.#keyOf(id));
      else await this.#save(agreement, { ended: true });
    });
    this.#endCopies(id);
    await this.#replica.tellAll(ENDED, id);
  }

  /**
   * Passes on what another process waits for: the answer to what it asks, or what concerns a call that it may be at work on.
   * `undefined` where nothing has to be waited for; rejects when an answer is not passed on.
   */
  relay({ id }: Agreement, message: unknown): Promise<void> | undefined {
    const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
    const told = messages.flatMap((each) => {
      if (!isObject(each)) return [];
      const payload = { id, message: each };
      if (FOR_ALL.has(each.method)) {
        // This process may be the one, and goes on whether the others hear of it or not.
        this.#replica.tellAll(MESSAGE, payload).catch(() => {});
        return [];
      }
      const [, replica] = (each.method === undefined && QUESTION_ID.exec(String(each.id))) || [];
      if (replica === undefined || replica === this.#replica.id) return [];
      return this.#replica.tell(replica, MESSAGE, payload);
    });
    return told.length === 0 ? undefined : Promise.all(told).then(() => {});
  }

  /**
   * Writes what becomes of a record, or only that it is kept for longer; copies get what it says now.
   *
   * @param change of a session whose id carries what was agreed, there may be no record to begin with
   */
  #update(
    agreement: Agreement,
    change: (record: SessionRecord | undefined) => SessionRecord | undefined,
  ): Promise<void> {
    const { id, idExpires } = agreement;
    const key = this.#keyOf(id);
    return this.#inTurn(id, async () => {
      for (;;) {
        const found = await this.#replica.store.get(key);
        const record = readRecord(found);
        if (record?.ended === true || (record === undefined && idExpires === undefined)) {
          return this.#endCopies(id);
        }
        const next = change(record);
        if (next === undefined) return;
        const condition = found === undefined ? { ifAbsent: true } : { ifVersion: found.version };
        if (await this.#save(agreement, next, condition)) {
          for (const copy of this.#copiesOf(id)) copy.restore(next);
          return;
        }
      }
    });
  }

  /** Another process has changed the session. */
  async #refresh(id: string): Promise<void> {
    if (!this.#copies.has(id)) return;
    try {
      await this.#inTurn(id, async () => {
        const record = await this.#read(id);
        for (const copy of this.#copiesOf(id)) {
          const isOver = record?.ended === true || (record ?? copy.agreement.idExpires) === undefined;
          if (isOver) copy.end();
          else copy.restore(record ?? {});
        }
      });
    } catch {
      this.#distrustCopies(id);
    }
  }

  async #read(id: string): Promise<SessionRecord | undefined> {
    return readRecord(await this.#replica.store.get(this.#keyOf(id)));
  }

  /** @returns false when the condition does not hold */
  async #save(
    { id, idExpires }: Agreement,
    record: SessionRecord,
    condition: { ifAbsent?: boolean; ifVersion?: string } = {},
  ): Promise<boolean> {
    // That a session has ended is to be known for as long as its id could be opened.
    const isEnd = record.ended === true && idExpires !== undefined;
    const ttlMs = isEnd ? Math.max(1, idExpires - Date.now()) : this.#limits.sessionIdleMs;
    const options = { ttlMs, ...condition };
    return (await this.#replica.store.set(this.#keyOf(id), JSON.stringify(record), options)) !== undefined;
  }

  #keyOf(id: string): string {
    return this.#replica.key(`session:{${id}}:record`);
  }

  #copiesOf(id: string): SessionCopy[] {
    return [...(this.#copies.get(id) ?? [])];
  }

  #endCopies(id: string): void {
    for (const copy of this.#copiesOf(id)) copy.end();
  }

  #distrustCopies(id: string): void {
    for (const copy of this.#copiesOf(id)) copy.isStale = true;
  }

  #inTurn<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
    const done = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const over = done.then(
      () => {},
      () => {},
    );
    this.#turns.set(id, over);
    void over.then(() => {
      if (this.#turns.get(id) === over) this.#turns.delete(id);
    });
    return done;
  }
}

import type { Principal } from "../../api/caller.js";
import type { Limits } from "../../api/limits.js";
import type { Agreement, SessionChange } from "../../protocol/agreement.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { RecordTable } from "../../store/record-table.js";
import type {
  FoundSession,
  SessionCopy,
  SessionDirectory,
} from "../../transports/http/sessions/session-directory.js";
import { readStoredPrincipal, type StoredPrincipal, toStoredPrincipal } from "../records/stored-request.js";
import type { Replica } from "../replicas/replica.js";
import {
  readAgreement,
  createRecord,
  findRecordName,
  type SessionRecord,
  withChange,
} from "./session-record.js";

/** Matches the ID of a question, which contains the replica that asks. */
const QUESTION_ID = /^tenon-([\da-f]{16})-\d+$/;

/** The kinds of messages between replicas. */
const CHANGED = "session-changed";
const ENDED = "session-ended";
const MESSAGE = "session-message";

/** The kind of message with the principal of a session's newest token. */
const PRINCIPAL = "session-principal";

/** Notifications for every replica that serves the session. */
const BROADCAST_METHODS: ReadonlySet<unknown> = new Set([
  "notifications/cancelled",
  "notifications/roots/list_changed",
]);

/** A message from a client, for another process. */
interface SessionMessage {
  /** The session ID that handlers see. */
  readonly id: string;
  readonly message: unknown;
  /** The sender of the message. */
  readonly principal?: StoredPrincipal | undefined;
}

/**
 * Legacy sessions in the store: the agreement, unless the ID contains it; later changes by the client; and the end of
 * the session. A process reads the record when it first sees the session, when another has changed it, and again if it
 * may have missed a change.
 *
 * If the ID contains the agreement, a session without a record is known only to the process that opened it: other
 * processes create a record when they first see the session. As a result, most sessions end with one write, and no
 * other process is notified.
 */
export class StoreSessions implements SessionDirectory {
  readonly #replica: Replica;
  readonly #records: RecordTable<SessionRecord>;
  /** The latest state of each session whose ID contains the agreement, in case the store loses it. */
  readonly #known = new WeakMap<Agreement, SessionRecord>();
  /**
   * The sessions that other processes may know without a record: this process has not opened them, or has missed
   * messages.
   */
  readonly #joined = new WeakSet<Agreement>();
  /** The copies in this process, by the agreement's ID. Each HTTP endpoint may have one. */
  readonly #copies = new Map<string, Set<SessionCopy>>();
  /**
   * The current operation on each session. Operations run one by one, so that no copy receives an earlier state after a
   * later one.
   */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(replica: Replica, limits: Limits) {
    this.#replica = replica;
    this.#records = new RecordTable({
      store: replica.store,
      getKey: (id) => replica.toKey(`session:{${id}}:record`),
      getTtlMs: ({ endedUntil }) =>
        endedUntil === undefined ? limits.sessionIdleTimeoutMs : Math.max(1, endedUntil - Date.now()),
    });
    replica.on(CHANGED, (id) => void this.#refresh(id as string));
    replica.on(ENDED, (id) => this.#endCopies(id as string));
    replica.on(MESSAGE, (payload) => {
      const { id, message, principal } = payload as SessionMessage;
      for (const copy of this.#getCopies(id)) copy.receive(message, readStoredPrincipal(principal));
    });
    replica.on(PRINCIPAL, (payload) => {
      const { id, principal } = payload as { id: string; principal: StoredPrincipal };
      for (const copy of this.#getCopies(id)) copy.setPrincipal(readStoredPrincipal(principal));
    });
    replica.onMissed(() => {
      for (const id of this.#copies.keys()) this.#markCopiesStale(id);
    });
  }

  async open(agreement: Agreement, principal: Principal | undefined): Promise<string> {
    const { id, record } = createRecord(agreement, principal);
    await this.#records.add(agreement.id, record);
    return id;
  }

  async find(
    id: string,
    principal: Principal | undefined,
    decrypted: Agreement | undefined,
  ): Promise<FoundSession | undefined> {
    const name = decrypted?.id ?? findRecordName(id);
    if (name === undefined) return undefined;
    if (decrypted !== undefined) this.#joined.add(decrypted);
    let record: SessionRecord | undefined;
    try {
      record = await this.#runInTurn(name, () => this.#join(name, decrypted));
    } catch (error) {
      if (decrypted === undefined) throw error;
      return { agreement: decrypted, state: {}, isStale: true };
    }
    const agreement = decrypted ?? readAgreement(record, name, id, principal);
    if (agreement === undefined || record?.endedUntil !== undefined) return undefined;
    return { agreement, state: record ?? {}, isStale: false };
  }

  attach(copy: SessionCopy): () => void {
    const { id } = copy.agreement;
    const copies = this.#copies.get(id) ?? new Set();
    this.#copies.set(id, copies.add(copy));
    return () => {
      copies.delete(copy);
      if (copies.size === 0) this.#copies.delete(id);
    };
  }

  extend(agreement: Agreement): void {
    const update = this.#update(agreement, (record) => record);
    // The next use tries again, and the store has logged the error.
    update.catch(() => {});
  }

  async remember(agreement: Agreement, change: SessionChange): Promise<void> {
    await this.#update(agreement, (record = {}) => withChange(record, change));
    await this.#replica.broadcast(CHANGED, agreement.id);
  }

  announcePrincipal({ id }: Agreement, principal: Principal): void {
    // A process that does not receive it learns of the token with the next request that it serves.
    this.#replica.broadcast(PRINCIPAL, { id, principal: toStoredPrincipal(principal) }).catch(() => {});
  }

  async end(agreement: Agreement): Promise<void> {
    const { id, idExpires } = agreement;
    const isKnownElsewhere = await this.#runInTurn(id, async () => {
      if (idExpires === undefined) await this.#records.delete(id);
      else {
        // The end of a session is stored for as long as its ID could be opened.
        const ended: SessionRecord = { endedUntil: idExpires };
        const mayBeOnlyHere = !this.#joined.has(agreement) && !this.#known.has(agreement);
        if (mayBeOnlyHere && (await this.#records.add(id, ended))) return false;
        await this.#records.put(id, ended);
      }
      return true;
    });
    this.#endCopies(id);
    if (isKnownElsewhere) await this.#replica.broadcast(ENDED, id);
  }

  relay({ id }: Agreement, message: unknown, principal: Principal | undefined): Promise<void> | undefined {
    const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
    const deliveries = messages.flatMap((each) => {
      if (!isObject(each)) return [];
      const payload: SessionMessage = { id, message: each, principal: toStoredPrincipal(principal) };
      if (BROADCAST_METHODS.has(each.method)) {
        // The message may be for this process, which continues even if the others do not receive it.
        this.#replica.broadcast(MESSAGE, payload).catch(() => {});
        return [];
      }
      const isReply = each.method === undefined && typeof each.id === "string";
      const [, replica] = (isReply && QUESTION_ID.exec(each.id as string)) || [];
      if (replica === undefined || replica === this.#replica.id) return [];
      return this.#replica.send(replica, MESSAGE, payload);
    });
    return deliveries.length === 0 ? undefined : Promise.all(deliveries).then(() => {});
  }

  /**
   * Changes a record, or only extends its lifetime. Copies receive the new state.
   *
   * @param change receives undefined if a session whose ID contains the agreement has no record yet
   */
  #update(
    agreement: Agreement,
    change: (record: SessionRecord | undefined) => SessionRecord | undefined,
  ): Promise<void> {
    const { id, idExpires } = agreement;
    const isDone = (record: SessionRecord | undefined): boolean =>
      record?.endedUntil !== undefined || (record === undefined && idExpires === undefined);
    return this.#runInTurn(id, async () => {
      const { record, isChanged } = await this.#records.change(id, (found = this.#known.get(agreement)) =>
        isDone(found) ? undefined : change(found),
      );
      if (isDone(record)) return this.#endCopies(id);
      this.#setKnown(agreement, record);
      if (isChanged) for (const copy of this.#getCopies(id)) copy.restore(record ?? {});
    });
  }

  /** Reads a session that another process has changed. */
  async #refresh(id: string): Promise<void> {
    if (!this.#copies.has(id)) return;
    try {
      await this.#runInTurn(id, async () => {
        const [first] = this.#getCopies(id);
        const record = await this.#read(id, first?.agreement);
        for (const copy of this.#getCopies(id)) {
          const isDone =
            record?.endedUntil !== undefined || (record ?? copy.agreement.idExpires) === undefined;
          if (isDone) copy.end();
          else copy.restore(record ?? {});
        }
      });
    } catch {
      this.#markCopiesStale(id);
    }
  }

  /**
   * Reads the record of a session. Creates one if the session's ID contains the agreement and this process has not seen
   * the session.
   */
  async #join(id: string, decrypted: Agreement | undefined): Promise<SessionRecord | undefined> {
    const isNew = decrypted !== undefined && !this.#copies.has(id);
    if (!isNew || !(await this.#records.add(id, {}))) return this.#read(id, decrypted);
    this.#setKnown(decrypted, {});
    return {};
  }

  /** Reads a record. If the store has lost it, stores the state that this process remembers. */
  async #read(id: string, agreement: Agreement | undefined): Promise<SessionRecord | undefined> {
    let record = await this.#records.get(id);
    const known = agreement && this.#known.get(agreement);
    if (record === undefined && known !== undefined) {
      await this.#records.add(id, known);
      record = await this.#records.get(id);
    }
    if (agreement !== undefined) this.#setKnown(agreement, record);
    return record;
  }

  #setKnown(agreement: Agreement, record: SessionRecord | undefined): void {
    // The end of other sessions is not stored, so one that has ended would be opened again.
    if (record !== undefined && agreement.idExpires !== undefined) this.#known.set(agreement, record);
  }

  #getCopies(id: string): SessionCopy[] {
    return [...(this.#copies.get(id) ?? [])];
  }

  #endCopies(id: string): void {
    for (const copy of this.#getCopies(id)) copy.end();
  }

  #markCopiesStale(id: string): void {
    for (const copy of this.#getCopies(id)) copy.markStale();
  }

  #runInTurn<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
    const done = (this.#turns.get(id) ?? Promise.resolve()).then(work);
    const settled = done.then(
      () => {},
      () => {},
    );
    this.#turns.set(id, settled);
    void settled.then(() => {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    });
    return done;
  }
}

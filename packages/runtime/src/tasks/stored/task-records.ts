import { ProtocolError } from "../../api/errors.js";
import type { Limits } from "../../api/limits.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import type { Replica } from "../../replicas/replica.js";
import type { StoredCall } from "./stored-call.js";
import { TaskIndex } from "./task-index.js";
import { isRecordOver, type TaskRecord, timeLeft, withNextRun } from "./task-record.js";

/** A result, or whatever else is to be kept of a task, that a store should not have to hold. */
export class TaskTooLargeError extends ProtocolError {
  constructor(bytes: number) {
    super(ErrorCode.InternalError, `What is kept of a task may have at most ${bytes} bytes.`);
  }
}

/** The tasks of one server in its store. */
export class TaskRecords {
  readonly #replica: Replica;
  readonly #limits: Limits;
  readonly #index: TaskIndex;

  constructor(replica: Replica, limits: Limits) {
    this.#replica = replica;
    this.#limits = limits;
    this.#index = new TaskIndex(replica, limits.taskMs);
  }

  /** Resolves when the task is kept, and what is needed to run its handler again. */
  async create(record: TaskRecord, call: StoredCall): Promise<void> {
    const { store } = this.#replica;
    const { id, ttlMs } = record;
    const [callText, recordText] = [this.#text(call), this.#text(record)];
    await Promise.all([store.set(this.#callKey(id), callText, { ttlMs }), this.#index.add(id)]);
    await store.set(this.#key(id), recordText, { ttlMs });
  }

  async get(id: string): Promise<TaskRecord | undefined> {
    const stored = await this.#replica.store.get(this.#key(id));
    return stored && (JSON.parse(stored.value) as TaskRecord);
  }

  /** What its handler was called with. */
  async callOf(id: string): Promise<StoredCall | undefined> {
    const stored = await this.#replica.store.get(this.#callKey(id));
    return stored && (JSON.parse(stored.value) as StoredCall);
  }

  /**
   * Gives a task to this process, unless it has changed hands since it was read.
   *
   * @returns undefined then, and when it is over or given up
   */
  async takeOver(seen: TaskRecord): Promise<TaskRecord | undefined> {
    await this.#index.add(seen.id);
    const taken = await this.change(seen.id, (record) =>
      record.worker === seen.worker && record.run === seen.run
        ? withNextRun(record, this.#replica.id)
        : undefined,
    );
    return taken === undefined || isRecordOver(taken) ? undefined : taken;
  }

  /** Tasks of processes that are dead, each once, at most so many at a time. */
  orphans(most: number): Promise<string[]> {
    return this.#index.orphans(most);
  }

  /**
   * Changes a task as it is when nobody else changes it, and tells who follows it.
   *
   * @param change gives undefined for a task to be left as it is
   * @returns the changed one; undefined when it was left, or is not there
   * @throws TaskTooLargeError
   */
  async change(
    id: string,
    change: (record: TaskRecord) => TaskRecord | undefined,
  ): Promise<TaskRecord | undefined> {
    const { store } = this.#replica;
    const key = this.#key(id);
    for (;;) {
      const stored = await store.get(key);
      const record = stored && (JSON.parse(stored.value) as TaskRecord);
      const next = record && change(record);
      if (stored === undefined || next === undefined) return undefined;
      const ttlMs = Math.max(1, timeLeft(next));
      if ((await store.set(key, this.#text(next), { ttlMs, ifVersion: stored.version })) === undefined)
        continue;
      // It is changed. Who is not told now looks again by and by.
      await store.publish(this.#topic(id), id).catch(() => {});
      return next;
    }
  }

  /** Calls back with the id after each change of one of these, and with all of them when a change may have been missed. */
  follow(ids: readonly string[], onChange: (id: string) => void): Promise<() => Promise<void>> {
    const onGap = (): void => ids.forEach(onChange);
    return this.#replica.store.subscribe(
      ids.map((id) => this.#topic(id)),
      onChange,
      onGap,
    );
  }

  #text(kept: object): string {
    const text = JSON.stringify(kept);
    if (Buffer.byteLength(text) > this.#limits.taskBytes) throw new TaskTooLargeError(this.#limits.taskBytes);
    return text;
  }

  #key(id: string): string {
    return this.#replica.key(`task:{${id}}`);
  }

  #callKey(id: string): string {
    return this.#replica.key(`task:{${id}}:call`);
  }

  #topic(id: string): string {
    return this.#replica.key(`task:{${id}}:changes`);
  }
}

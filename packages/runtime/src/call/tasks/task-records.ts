import { ProtocolError } from "../../api/errors.js";
import type { Store } from "../../api/store.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import { type RecordChange, RecordTable } from "../../store/record-table.js";
import { type TaskRecord, getRemainingMs } from "./task-record.js";

/** An error for a task whose record would exceed `limits.maxTaskBytes`. */
export class TaskTooLargeError extends ProtocolError {
  constructor(bytes: number) {
    super(
      ErrorCode.InternalError,
      `The task is too large: its result, questions, answers, and step results may be at most ${bytes} bytes in total.`,
    );
  }
}

export interface TaskRecordsOptions {
  readonly store: Store;
  /** Returns the name of a key or a topic of this server. */
  toKey(text: string): string;
  /** Maximum size of a record. */
  readonly maxBytes: number;
}

/** The tasks of one server in its store. */
export class TaskRecords {
  readonly #store: Store;
  readonly #getTopic: (id: string) => string;
  readonly #table: RecordTable<TaskRecord>;
  /** The listeners to changes by this process, by the task's ID. */
  readonly #listeners = new Map<string, Set<(record: TaskRecord) => void>>();

  constructor({ store, toKey, maxBytes }: TaskRecordsOptions) {
    this.#store = store;
    this.#getTopic = (id) => toKey(`task:{${id}}:changes`);
    this.#table = new RecordTable({
      store,
      getKey: (id) => toKey(`task:{${id}}`),
      getTtlMs: (record) => Math.max(1, getRemainingMs(record)),
      maxBytes,
      createTooLargeError: (bytes) => new TaskTooLargeError(bytes),
    });
  }

  create(record: TaskRecord): Promise<void> {
    return this.#table.put(record.id, record);
  }

  get(id: string): Promise<TaskRecord | undefined> {
    return this.#table.get(id);
  }

  delete(id: string): Promise<void> {
    return this.#table.delete(id);
  }

  /**
   * Changes a task, and notifies its watchers.
   *
   * @throws TaskTooLargeError if its record would be too large
   */
  async change(
    id: string,
    change: (record: TaskRecord | undefined) => TaskRecord | undefined,
  ): Promise<RecordChange<TaskRecord>> {
    const result = await this.#table.change(id, change);
    const { record, isChanged } = result;
    if (record === undefined || !isChanged) return result;
    for (const listener of this.#listeners.get(id) ?? []) listener(record);
    // The task is changed. Watchers that are not notified read it again later.
    await this.#store.publish(this.#getTopic(id), id).catch(() => {});
    return result;
  }

  /**
   * Watches tasks.
   *
   * @param onRecord called with each change by this process
   * @param onChange called when another process has changed a task, or may have
   * @returns a function that stops watching
   */
  async watch(
    ids: readonly string[],
    onRecord: (record: TaskRecord) => void,
    onChange: (id: string) => void,
  ): Promise<() => void> {
    const topics = ids.map(this.#getTopic);
    const unsubscribe = await this.#store.subscribe(topics, onChange, () => ids.forEach(onChange));
    for (const id of ids) {
      const listeners = this.#listeners.get(id) ?? new Set();
      this.#listeners.set(id, listeners.add(onRecord));
    }
    return () => {
      for (const id of ids) {
        const listeners = this.#listeners.get(id);
        listeners?.delete(onRecord);
        if (listeners?.size === 0) this.#listeners.delete(id);
      }
      unsubscribe().catch(() => {});
    };
  }
}

import * as ErrorCode from "../../protocol/error-codes.js";
import type { TaskWatch } from "./server-tasks.js";
import { type TaskRecord, withEnd } from "./task-record.js";
import type { TaskRecords } from "./task-records.js";

const LOST = "The task is no longer stored: it has expired, or the store of the server has lost it.";

export interface WatchOptions {
  /** Called with each task as it is read from the store. */
  onRead(record: TaskRecord): void;
  /** Returns the details of a task that the client receives. */
  describe(record: TaskRecord): object;
  /** Resolves when the tasks no longer change. Absent if other processes continue them. */
  readonly whenDone?: () => Promise<void>;
  onEnd(watched: WatchedTasks): void;
}

/** Tasks whose changes are sent to a client of this process. */
export class WatchedTasks implements TaskWatch {
  readonly whenDone?: () => Promise<void>;
  readonly #records: TaskRecords;
  /** The latest version of each task that the client has received, without the data that only runs of its handler use. */
  readonly #received: Map<string, TaskRecord>;
  readonly #options: WatchOptions;
  #stop: (() => void) | undefined;
  #notify: ((details: object) => void) | undefined;

  constructor(records: TaskRecords, found: readonly TaskRecord[], options: WatchOptions) {
    this.#records = records;
    this.#received = new Map(found.map((record) => [record.id, toBareRecord(record)]));
    this.#options = options;
    if (options.whenDone !== undefined) this.whenDone = options.whenDone;
  }

  get ids(): readonly string[] {
    return [...this.#received.keys()];
  }

  /** Starts watching. Changes are noticed after the promise has resolved. */
  async open(): Promise<void> {
    if (this.#received.size === 0) return;
    this.#stop = await this.#records.watch(
      this.ids,
      (record) => this.#receive(record),
      (id) => void this.#refresh(id),
    );
  }

  begin(notify: (details: object) => void): void {
    this.#notify = notify;
    void this.refresh();
  }

  end(): void {
    this.#notify = undefined;
    this.#options.onEnd(this);
    this.#stop?.();
  }

  /** Reads all tasks again, since messages about changes may be lost. */
  async refresh(): Promise<void> {
    await Promise.all(this.ids.map((id) => this.#refresh(id)));
  }

  /** Reads a task again. If the store fails, a later refresh reads it. */
  async #refresh(id: string): Promise<void> {
    let record: TaskRecord | undefined;
    try {
      record = await this.#records.get(id);
    } catch {
      return;
    }
    if (this.#notify === undefined) return;
    if (record !== undefined) this.#options.onRead(record);
    record ??= this.#createLostRecord(id);
    if (record !== undefined) this.#receive(record);
  }

  /** Creates the last version of a task that is no longer stored; undefined if the client knows that it has ended. */
  #createLostRecord(id: string): TaskRecord | undefined {
    const received = this.#received.get(id);
    const error = { code: ErrorCode.InternalError, message: LOST };
    return received && withEnd(received, "failed", { error });
  }

  #receive(record: TaskRecord): void {
    const { id, version } = record;
    if (this.#notify === undefined || version <= (this.#received.get(id)?.version ?? 0)) return;
    this.#received.set(id, toBareRecord(record));
    this.#notify(this.#options.describe(record));
  }
}

function toBareRecord(record: TaskRecord): TaskRecord {
  return { ...record, asked: [], effects: [], outcome: {} };
}

import type { TaskWatch } from "./server-tasks.js";
import type { TaskRecord } from "./task-record.js";
import type { TaskRecords } from "./task-records.js";

export interface WatchOptions {
  /** Called with each task as it is read from the store. */
  onRead(record: TaskRecord): void;
  /** Returns the details of a task that the client receives. */
  describe(record: TaskRecord): object;
  /** Resolves when the tasks no longer change. Absent if other processes continue them. */
  readonly whenDone?: () => Promise<void>;
  onEnd(watched: WatchedTasks): void;
}

/** The tasks about which a client of this process is notified. */
export class WatchedTasks implements TaskWatch {
  readonly whenDone?: () => Promise<void>;
  readonly #records: TaskRecords;
  /** The latest version of each task that the client has received. */
  readonly #versions: Map<string, number>;
  readonly #options: WatchOptions;
  #stop: (() => void) | undefined;
  #notify: ((details: object) => void) | undefined;

  constructor(records: TaskRecords, found: readonly TaskRecord[], options: WatchOptions) {
    this.#records = records;
    this.#versions = new Map(found.map(({ id, version }) => [id, version]));
    this.#options = options;
    if (options.whenDone !== undefined) this.whenDone = options.whenDone;
  }

  get ids(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /** Starts watching. Changes are noticed once the promise has resolved. */
  async open(): Promise<void> {
    if (this.#versions.size === 0) return;
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
    const record = await this.#records.get(id).catch(() => undefined);
    if (this.#notify === undefined || record === undefined) return;
    this.#options.onRead(record);
    this.#receive(record);
  }

  #receive(record: TaskRecord): void {
    const { id, version } = record;
    if (this.#notify === undefined || version <= (this.#versions.get(id) ?? 0)) return;
    this.#versions.set(id, version);
    this.#notify(this.#options.describe(record));
  }
}

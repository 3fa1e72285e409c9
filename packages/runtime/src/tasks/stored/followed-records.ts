import type { FollowedTasks } from "../server-tasks.js";
import { detailsOf, type TaskRecord } from "./task-record.js";
import type { TaskRecords } from "./task-records.js";

export interface FollowOptions {
  /** Called with each task as it is read. */
  onRead(record: TaskRecord): void;
  onEnd(followed: FollowedRecords): void;
}

/** Tasks in the store of which a client of this process wants to be told. */
export class FollowedRecords implements FollowedTasks {
  readonly #records: TaskRecords;
  /** How many changes of each task the client knows. */
  readonly #known: Map<string, number>;
  readonly #options: FollowOptions;
  #unsubscribe: (() => Promise<void>) | undefined;
  #notify: ((details: object) => void) | undefined;

  constructor(records: TaskRecords, found: readonly TaskRecord[], options: FollowOptions) {
    this.#records = records;
    this.#known = new Map(found.map(({ id, count }) => [id, count]));
    this.#options = options;
  }

  get ids(): readonly string[] {
    return [...this.#known.keys()];
  }

  /** Resolves when changes are heard of. */
  async open(): Promise<void> {
    if (this.#known.size === 0) return;
    this.#unsubscribe = await this.#records.follow(this.ids, (id) => void this.#refresh(id));
  }

  begin(notify: (details: object) => void): void {
    this.#notify = notify;
    void this.refresh();
  }

  end(): void {
    this.#notify = undefined;
    this.#options.onEnd(this);
    void this.#unsubscribe?.().catch(() => {});
  }

  /** Looks whether any has changed, as it may have without a word. */
  async refresh(): Promise<void> {
    await Promise.all(this.ids.map((id) => this.#refresh(id)));
  }

  /** What the store cannot tell now is looked at later. */
  async #refresh(id: string): Promise<void> {
    const record = await this.#records.get(id).catch(() => undefined);
    if (this.#notify === undefined || record === undefined) return;
    this.#options.onRead(record);
    if (record.count <= (this.#known.get(id) ?? 0)) return;
    this.#known.set(id, record.count);
    this.#notify(detailsOf(record));
  }
}

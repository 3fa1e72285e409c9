import type { Replica } from "../replicas/replica.js";

/** Maximum size of the list of one process's tasks: about 10,000 tasks. */
const MAX_TASKS_BYTES = 512 * 1024;

/** Maximum size of the list of processes: about 1,000 processes. */
const MAX_WORKERS_BYTES = 32 * 1024;

/** The tasks that each process has begun, so that others find those of a crashed process. */
export class TaskIndex {
  readonly #replica: Replica;
  readonly #ttlMs: number;
  /** The last task that was returned for each dead process. */
  readonly #seen = new Map<string, string>();
  #listedUntil = 0;

  /** @param ttlMs the time for which tasks are stored, in milliseconds */
  constructor(replica: Replica, ttlMs: number) {
    this.#replica = replica;
    this.#ttlMs = ttlMs;
  }

  /** Adds a task. Resolves when other processes would find it if this one crashed. */
  async add(id: string): Promise<void> {
    const { store, id: own } = this.#replica;
    if (performance.now() >= this.#listedUntil) {
      const until = performance.now() + this.#ttlMs;
      await store.append(this.#workers, [own], { maxBytes: MAX_WORKERS_BYTES, ttlMs: 2 * this.#ttlMs });
      this.#listedUntil = until;
    }
    await store.append(this.#getTasksKey(own), [id], { maxBytes: MAX_TASKS_BYTES, ttlMs: this.#ttlMs });
  }

  /** Returns tasks of dead processes, each only once, up to a maximum number. */
  async findOrphans(max: number): Promise<string[]> {
    const { store, id: own } = this.#replica;
    const { entries } = await store.read(this.#workers, "");
    const found: string[] = [];
    for (const worker of new Set(entries.map(({ value }) => value))) {
      if (worker === own || found.length >= max || (await this.#replica.isAlive(worker))) continue;
      const seen = this.#seen.get(worker) ?? "";
      const part = await store.read(this.#getTasksKey(worker), seen, { limit: max - found.length });
      found.push(...part.entries.map(({ value }) => value));
      this.#seen.set(worker, part.entries.at(-1)?.id ?? seen);
    }
    const known = new Set(entries.map(({ value }) => value));
    for (const worker of this.#seen.keys()) if (!known.has(worker)) this.#seen.delete(worker);
    return found;
  }

  get #workers(): string {
    return this.#replica.toKey("task-workers");
  }

  #getTasksKey(worker: string): string {
    return this.#replica.toKey(`tasks-of:{${worker}}`);
  }
}

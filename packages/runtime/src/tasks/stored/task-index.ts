import type { Replica } from "../../replicas/replica.js";

/** What is kept of the tasks of one process, and of all processes: the latest some ten thousand, and one thousand. */
const TASKS_BYTES = 512 * 1024;
const WORKERS_BYTES = 32 * 1024;

/** Which processes have begun which tasks, so that those of one that died are found by others. */
export class TaskIndex {
  readonly #replica: Replica;
  readonly #ttlMs: number;
  /** How far the tasks of processes that died have been gone through, by process. */
  readonly #seen = new Map<string, string>();
  #isKnownUntil = 0;

  /** @param ttlMs how long tasks are kept */
  constructor(replica: Replica, ttlMs: number) {
    this.#replica = replica;
    this.#ttlMs = ttlMs;
  }

  /** Resolves when others would find the task if this process died. */
  async add(id: string): Promise<void> {
    const { store, id: own } = this.#replica;
    if (performance.now() >= this.#isKnownUntil) {
      const until = performance.now() + this.#ttlMs;
      await store.append(this.#workers, [own], { maxBytes: WORKERS_BYTES, ttlMs: 2 * this.#ttlMs });
      this.#isKnownUntil = until;
    }
    await store.append(this.#tasksOf(own), [id], { maxBytes: TASKS_BYTES, ttlMs: this.#ttlMs });
  }

  /** Tasks that processes had which are dead now: each is given once, at most so many at a time. */
  async orphans(most: number): Promise<string[]> {
    const { store, id: own } = this.#replica;
    const { entries } = await store.read(this.#workers, "");
    const found: string[] = [];
    for (const worker of new Set(entries.map(({ value }) => value))) {
      if (worker === own || found.length >= most || (await this.#replica.isAlive(worker))) continue;
      const seen = this.#seen.get(worker) ?? "";
      const part = await store.read(this.#tasksOf(worker), seen, { limit: most - found.length });
      found.push(...part.entries.map(({ value }) => value));
      this.#seen.set(worker, part.entries.at(-1)?.id ?? seen);
    }
    const isKnown = new Set(entries.map(({ value }) => value));
    for (const worker of this.#seen.keys()) if (!isKnown.has(worker)) this.#seen.delete(worker);
    return found;
  }

  get #workers(): string {
    return this.#replica.key("task-workers");
  }

  #tasksOf(worker: string): string {
    return this.#replica.key(`tasks-of:{${worker}}`);
  }
}

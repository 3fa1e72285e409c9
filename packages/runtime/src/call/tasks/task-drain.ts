import type { DrainableTasks } from "../../transports/drain.js";
import { withTimeout } from "../../transports/with-timeout.js";
import type { TaskRun } from "./task-run.js";
import { POLL_INTERVAL_MS } from "./task-status.js";

/** The time within which clients that poll as requested have polled, in milliseconds. */
const POLL_TIMEOUT_MS = 2 * POLL_INTERVAL_MS;

interface LocalTask {
  readonly run: TaskRun;
  readonly expiry: NodeJS.Timeout;
  endedAt: number | undefined;
  /** Resolves when the client has received the outcome of the task. */
  readonly reported: Promise<void>;
  markReported(): void;
  isReported: boolean;
}

/** The tasks of a server with one process: limited in number, and ended with the process. */
export class TaskDrain implements DrainableTasks {
  /** In the order in which they began. */
  readonly #byId = new Map<string, LocalTask>();

  get size(): number {
    return this.#byId.size;
  }

  add(run: TaskRun, ttlMs: number): void {
    let resolve = (): void => {};
    const reported = new Promise<void>((each) => {
      resolve = each;
    });
    const expiry = setTimeout(() => this.#byId.delete(run.id), ttlMs).unref();
    const markReported = (): void => {
      task.isReported = true;
      resolve();
    };
    const task: LocalTask = { run, expiry, endedAt: undefined, reported, markReported, isReported: false };
    this.#byId.set(run.id, task);
    run.onDone(() => {
      task.endedAt = performance.now();
    });
  }

  /** Returns the number of tasks of an owner, ended ones included. */
  countByOwner(owner: string): number {
    return Array.from(this.#byId.values()).filter(({ run }) => run.owner === owner).length;
  }

  /**
   * Forgets the oldest task that has ended, or the oldest such task of one owner.
   *
   * @returns its ID; undefined if none has ended
   */
  evict(owner?: string): string | undefined {
    for (const [id, { run, expiry }] of this.#byId) {
      if (!run.isDone || (owner ?? run.owner) !== run.owner) continue;
      clearTimeout(expiry);
      this.#byId.delete(id);
      return id;
    }
    return undefined;
  }

  /** Marks a task whose outcome the client has received. */
  markReported(id: string): void {
    this.#byId.get(id)?.markReported();
  }

  /** Resolves when these tasks have ended. */
  async whenTasksDone(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#byId.get(id)?.run.whenDone()));
  }

  async whenDone(): Promise<void> {
    for (let working = this.#working; working.length > 0; working = this.#working) {
      await Promise.all(working.map((run) => run.whenDone()));
    }
  }

  async whenReported(): Promise<void> {
    await this.whenDone();
    await Promise.all(Array.from(this.#byId.values(), waitUntilReported));
  }

  finish(reason: string): void {
    for (const run of this.#working) run.rejectQuestions(reason);
  }

  stop(reason: string): void {
    for (const run of this.#working) run.call.abort(reason);
  }

  abandon(reason: string): void {
    for (const run of this.#working) run.abandon(reason);
  }

  clear(): void {
    for (const { expiry } of this.#byId.values()) clearTimeout(expiry);
    this.#byId.clear();
  }

  get #working(): TaskRun[] {
    return Array.from(this.#byId.values(), ({ run }) => run).filter(({ isDone }) => !isDone);
  }
}

async function waitUntilReported({ endedAt, isReported, reported }: LocalTask): Promise<void> {
  const unreportedMs = endedAt === undefined || isReported ? 0 : performance.now() - endedAt;
  if (unreportedMs === 0 || unreportedMs >= POLL_TIMEOUT_MS) return;
  await withTimeout(POLL_TIMEOUT_MS - unreportedMs, reported);
}

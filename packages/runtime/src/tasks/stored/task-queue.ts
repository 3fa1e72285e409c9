import type { TaskExecutor } from "../../api/task-executor.js";
import { unreachable } from "../../replicas/guarded-store.js";
import { type TaskRecord } from "./task-record.js";

/** How long a queue has to take a task, in milliseconds. */
const SUBMIT_MS = 5000;

/** After how long a queue may have lost a task on which nobody works, and how often it is asked then, in milliseconds. */
const LOST_MS = 30_000;
const AGAIN_MS = 5000;

/** Submits tasks to a queue. */
export class TaskQueue {
  readonly #executor: TaskExecutor;
  readonly #lately = new Set<string>();

  constructor(executor: TaskExecutor) {
    this.#executor = executor;
  }

  /** @throws ProtocolError when the queue cannot be asked now */
  async submit(id: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(unreachable()), SUBMIT_MS);
    });
    try {
      await Promise.race([this.#executor.submit(id), late]);
    } catch {
      throw unreachable();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Submits again what the queue may have lost, or has never had: nobody is at work on it. */
  async submitAgain({ id, worker, lastUpdatedAt }: TaskRecord): Promise<void> {
    const isWaiting = worker === "" && Date.now() - Date.parse(lastUpdatedAt) < LOST_MS;
    if (isWaiting || this.#lately.has(id)) return;
    this.#lately.add(id);
    setTimeout(() => this.#lately.delete(id), AGAIN_MS).unref();
    await this.submit(id);
  }
}

import type { TaskExecutor } from "../../api/task-executor.js";
import { createStoreUnreachableError } from "../../store/store-outages.js";
import type { TaskRecord } from "../../call/tasks/task-record.js";
import { withTimeout } from "../../transports/with-timeout.js";

/** The timeout of a submission to the queue, in milliseconds. */
const SUBMIT_TIMEOUT_MS = 5000;

/** The time after which the queue is considered to have lost a waiting task, in milliseconds. */
const LOST_TIMEOUT_MS = 30_000;

/** The minimum time between two submissions of the same task, in milliseconds. */
const RESUBMIT_INTERVAL_MS = 5000;

/** Submits tasks to a queue. */
export class TaskQueue {
  readonly #executor: TaskExecutor;
  readonly #recent = new Set<string>();

  constructor(executor: TaskExecutor) {
    this.#executor = executor;
  }

  /**
   * Adds a task to the queue.
   *
   * @throws ProtocolError if the queue is unreachable
   */
  async submit(id: string): Promise<void> {
    const attempt = async (): Promise<void> => this.#executor.submit(id);
    const isSubmitted = await withTimeout(SUBMIT_TIMEOUT_MS, attempt()).catch(() => false);
    if (!isSubmitted) throw createStoreUnreachableError();
  }

  /** Submits a task again if no process works on it, since the queue may have lost or never received it. */
  async resubmit({ id, worker, lastUpdatedAt }: TaskRecord): Promise<void> {
    const isWaiting = worker === "" && Date.now() - Date.parse(lastUpdatedAt) < LOST_TIMEOUT_MS;
    if (isWaiting || this.#recent.has(id)) return;
    this.#recent.add(id);
    setTimeout(() => this.#recent.delete(id), RESUBMIT_INTERVAL_MS).unref();
    await this.submit(id);
  }
}

import type { LogSink } from "./log.js";

/**
 * Decides which process runs a task, and when: `bullmq(…)` of `@tenon/runtime/bullmq`, or your own for another queue.
 * The `store` of the server contains the task, so a queue contains only its ID.
 *
 * A queue must run each submitted task at least once, even if the process that started it crashes. It may run a task
 * more often: only the latest run can complete it, and completed tasks do not run again.
 *
 * @see https://modelcontextprotocol.io/extensions/tasks
 * @example
 * // A queue that delivers a message again until it is deleted, such as SQS.
 * class SqsTasks implements TaskExecutor {
 *   constructor(private readonly queue: SqsQueue) {}
 *
 *   async start({ run }: TaskRunner): Promise<void> {
 *     await this.queue.poll(async ({ body, receiveCount, remove }: SqsMessage) => {
 *       if ((await run(body, { isFinal: receiveCount >= 3 })) === "done") await remove();
 *     });
 *   }
 *
 *   async submit(taskId: string): Promise<void> {
 *     await this.queue.send(taskId);
 *   }
 *
 *   async close(): Promise<void> {
 *     await this.queue.stopPolling();
 *   }
 * }
 */
export interface TaskExecutor {
  /**
   * Starts running tasks, if this process runs any.
   *
   * @throws Error if it can never run tasks, for example because a package is missing. The server then does not start.
   */
  start(runner: TaskRunner): Promise<void>;
  /**
   * Adds a task to the queue. Resolves when the queue has stored it; then the client receives its response. May be
   * called again for a task that is already in the queue; the queue does not have to run it twice.
   */
  submit(taskId: string): Promise<void>;
  /** Stops starting tasks. Tasks that run in this process are interrupted at the same time. */
  close(): Promise<void>;
}

/** Runs the tasks of a queue in this process. */
export interface TaskRunner {
  /** The name of the server. Servers with different names have different tasks. */
  readonly serverName: string;
  /** Writes to the log of the server. */
  readonly log: LogSink;
  /**
   * Runs a task.
   *
   * @returns `done` if nothing is left to do; `interrupted` if this process shuts down and another must run the task
   * @throws Error if the handler failed with an internal error and `isFinal` is false: run the task again
   */
  run(taskId: string, attempt: TaskAttempt): Promise<"done" | "interrupted">;
}

/** One of several attempts to run a task. */
export interface TaskAttempt {
  /** Whether the task fails if the handler fails, instead of running again. */
  readonly isFinal: boolean;
}

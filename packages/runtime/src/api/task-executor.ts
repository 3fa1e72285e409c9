import type { LogSink } from "./log.js";

/**
 * Decides which process works on a task, and when: `bullmq(…)` of `@tenon/runtime/bullmq`, or one of your own for another
 * queue. What is known of a task is in the server's `store`, so a queue has to carry nothing but its id.
 *
 * A queue must run each submitted task at least once, also when the process dies that has begun it, and may run it more
 * often: of two runs the later alone has a say, and of a task that is over nothing is run.
 *
 * @example
 * // A queue in which a message comes again until it is deleted, such as SQS.
 * class SqsTasks implements TaskExecutor {
 *   constructor(private readonly queue: SqsQueue) {}
 *
 *   async start({ run }: TaskWork): Promise<void> {
 *     await this.queue.poll(async ({ body, receiveCount, remove }: SqsMessage) => {
 *       if ((await run(body, { isLast: receiveCount >= 3 })) === "done") await remove();
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
   * Begins to work in this process, where it is one that works on tasks.
   *
   * @returns rejects when it can never work, as without a package that it needs: then the server does not start
   */
  start(work: TaskWork): Promise<void>;
  /**
   * Resolves when the queue has the task for certain: only then is its call answered. May be asked again for a task that it
   * has already, and need not run it twice for that.
   */
  submit(taskId: string): Promise<void>;
  /** Begins no more tasks. Those at work here are handed over at the same time, and end. */
  close(): Promise<void>;
}

/** What a queue works on. */
export interface TaskWork {
  /** That of the server: tasks of servers with other names are others. */
  readonly serverName: string;
  readonly log: LogSink;
  /**
   * Runs a task in this process.
   *
   * @returns `done` when nothing is left to do; `handed-over` when this process stops, so that another has to run it
   * @throws Error when the handler has failed by an internal error and `isLast` is not true: the task is to be run again
   */
  run(taskId: string, attempt: TaskAttempt): Promise<"done" | "handed-over">;
}

export interface TaskAttempt {
  /** A handler that fails has failed, and is not run again. */
  readonly isLast: boolean;
}

/**
 * Runs tasks through a BullMQ queue.
 *
 * @see https://docs.bullmq.io
 * @module
 */
import type { BackoffOptions, ConnectionOptions, Queue, Worker } from "bullmq";
import type { TaskExecutor, TaskRunner } from "../../api/task-executor.js";
import { maskSecrets } from "../../observe/log/mask-secrets.js";
import { type ClientLibrary, loadClient } from "../redis/load-client.js";
import { checkOptionNames } from "../../data/options/check-option-names.js";

type Bullmq = typeof import("bullmq");

const DEFAULT_CONCURRENCY = 8;

export interface BullmqOptions {
  /** Maximum number of tasks that this process runs at the same time; 0 to run none. Default: 8. */
  readonly concurrency?: number | undefined;
  /** Maximum number of runs of a handler that fails with an internal error. A `ToolError` is a result. Default: 1. */
  readonly attempts?: number | undefined;
  /** Delay between attempts: milliseconds, or BullMQ's options. Default: no delay. */
  readonly backoff?: number | BackoffOptions | undefined;
  /** Time after which a process that does not renew its lock is considered dead, in milliseconds. Default: 30,000. */
  readonly stalledMs?: number | undefined;
  /** Name of the queue. Default: `tenon-` and the server's name. */
  readonly queue?: string | undefined;
  /** Prefix of keys in Redis; in a cluster in braces, such as `{bull}`. Default: `bull`. */
  readonly prefix?: string | undefined;
}

/**
 * Runs tasks through a queue of BullMQ 6: each call that becomes a task is a job, run by any process of this server
 * whose `concurrency` is not 0. BullMQ recovers the jobs of processes that crashed. Needs a `store`, which holds the
 * state of tasks, and the packages `bullmq` and `@redis/client`, which are loaded when the server starts.
 *
 * @param connection
 *   The URL of a Redis server, or a connection for BullMQ. Default: the environment variable `TENON_REDIS_URL`.
 * @throws TypeError for invalid options
 * @example
 * export default defineServer({
 *   store: redis(process.env.REDIS_URL),
 *   tasks: bullmq(process.env.REDIS_URL, { attempts: 3, backoff: 1000 }),
 * });
 */
export function bullmq(
  connection: string | ConnectionOptions | undefined = process.env.TENON_REDIS_URL,
  options: BullmqOptions = {},
): TaskExecutor {
  checkOptionNames<BullmqOptions>("bullmq", options, {
    concurrency: true,
    attempts: true,
    backoff: true,
    stalledMs: true,
    queue: true,
    prefix: true,
  });
  if (connection === undefined || connection === "") {
    throw new TypeError(
      "bullmq() needs the URL of a Redis server, as its first argument or in TENON_REDIS_URL",
    );
  }
  return new BullmqTasks(connection, options);
}

class BullmqTasks implements TaskExecutor {
  readonly #connection: string | ConnectionOptions;
  readonly #options: BullmqOptions;
  /** Functions that close the connections that this object has opened. */
  readonly #disconnects: (() => void)[] = [];
  #queue: Promise<Queue> | undefined;
  #worker: Worker | undefined;

  constructor(connection: string | ConnectionOptions, options: BullmqOptions) {
    const { concurrency = DEFAULT_CONCURRENCY, attempts = 1 } = options;
    checkWholeNumber("concurrency", concurrency, 0);
    checkWholeNumber("attempts", attempts, 1);
    this.#connection = connection;
    this.#options = options;
  }

  async start(runner: TaskRunner): Promise<void> {
    this.#queue = this.#open(runner);
    await this.#queue;
  }

  async submit(taskId: string): Promise<void> {
    const queue = await this.#queue;
    if (queue === undefined) throw new Error("The task queue is not open.");
    const { attempts = 1, backoff } = this.#options;
    // A job with this ID that is already in the queue stays unchanged.
    await queue.add(
      "task",
      {},
      {
        jobId: taskId,
        attempts,
        ...(backoff !== undefined && { backoff }),
        removeOnComplete: true,
        removeOnFail: true,
      },
    );
  }

  async close(): Promise<void> {
    const queue = await this.#queue?.catch(() => undefined);
    await Promise.allSettled([this.#worker?.close()]);
    await Promise.allSettled([queue?.close()]);
    for (const disconnect of this.#disconnects.splice(0)) disconnect();
  }

  async #open(runner: TaskRunner): Promise<Queue> {
    const library = await loadBullmq();
    const redis = typeof this.#connection === "string" ? await loadClient() : undefined;
    const connect = (): ConnectionOptions =>
      redis === undefined ? (this.#connection as ConnectionOptions) : this.#connectByUrl(library, redis);
    const { concurrency = DEFAULT_CONCURRENCY, prefix, stalledMs } = this.#options;
    const { queue: name = `tenon-${runner.serverName.replace(/[^\w.-]/g, "_")}` } = this.#options;
    const common = prefix === undefined ? {} : { prefix };
    const onError = (error: Error): void =>
      runner.log({
        level: "error",
        event: "task-queue",
        msg: `Error in the task queue: ${maskSecrets(error.message)}`,
      });
    const queue = new library.Queue(name, { ...common, connection: connect() });
    queue.on("error", onError);
    if (concurrency > 0) {
      const stalled = stalledMs === undefined ? {} : { lockDuration: stalledMs, stalledInterval: stalledMs };
      this.#worker = new library.Worker(
        name,
        async (job, token) => {
          const isFinal = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
          if ((await runner.run(job.id ?? "", { isFinal })) === "done") return;
          await job.moveToWait(token);
          throw new library.WaitingError();
        },
        // The record of the task limits the number of crashes.
        { ...common, ...stalled, connection: connect(), concurrency, maxStalledCount: 1000 },
      );
      this.#worker.on("error", onError);
    }
    return queue;
  }

  #connectByUrl(library: Bullmq, redis: ClientLibrary): ConnectionOptions {
    const client = redis.createClient({ url: this.#connection as string });
    // BullMQ reports errors of the connection.
    client.on("error", () => {});
    this.#disconnects.push(() => {
      if (client.isOpen) client.destroy();
    });
    return library.createNodeRedisClient(client);
  }
}

/**
 * Loads BullMQ.
 *
 * @throws Error with the command that installs it, if it is not installed
 */
async function loadBullmq(): Promise<Bullmq> {
  try {
    const loaded: Bullmq & { default?: Bullmq } = await import("bullmq");
    // In a bundle, a CommonJS module only has the member `default`.
    return "Queue" in loaded ? loaded : (loaded as { default: Bullmq }).default;
  } catch (error) {
    throw new Error("bullmq() needs the package `bullmq`. Install it: npm install bullmq @redis/client", {
      cause: error,
    });
  }
}

function checkWholeNumber(name: string, value: number, min: number): void {
  if (Number.isSafeInteger(value) && value >= min) return;
  throw new TypeError(`${name} of bullmq() must be a whole number of at least ${min} (got ${String(value)})`);
}

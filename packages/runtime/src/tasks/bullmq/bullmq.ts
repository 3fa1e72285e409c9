/**
 * Tasks on a queue of BullMQ.
 *
 * @see https://docs.bullmq.io
 * @module
 */
import type { BackoffOptions, ConnectionOptions, Queue, Worker } from "bullmq";
import type { TaskExecutor, TaskWork } from "../../api/task-executor.js";
import { type ClientLibrary, loadClient } from "../../store/redis/load-client.js";

type Bullmq = typeof import("bullmq");

const DEFAULT_CONCURRENCY = 8;

export interface BullmqOptions {
  /** How many tasks this process works on at the same time; 0 for one that works on none. Default 8. */
  readonly concurrency?: number;
  /** How often a handler is run, at most, that fails by an internal error. A `ToolError` is a result. Default 1. */
  readonly attempts?: number;
  /** How long to wait between attempts: milliseconds, or as BullMQ has it. Default: not at all. */
  readonly backoff?: number | BackoffOptions;
  /** After how long a process that does not say that it is alive is taken for dead, in milliseconds. Default 30,000. */
  readonly stalledMs?: number;
  /** Default: `tenon-` and the server's name. */
  readonly queue?: string;
  /** What keys in Redis begin with; in a cluster in braces, such as `{bull}`. Default `bull`. */
  readonly prefix?: string;
}

/**
 * Has tasks worked on by way of a queue of BullMQ 6: each call that becomes one is a job, run by any process of this server
 * whose `concurrency` is not 0. Jobs of processes that died are recovered by BullMQ. Needs a `store`, where the state of
 * tasks is, and the packages `bullmq` and `@redis/client`, which are loaded when the server starts.
 *
 * @param connection
 *   The URL of a Redis; default: `TENON_REDIS_URL` of the environment. Or what BullMQ takes for a connection.
 * @throws TypeError for options that are none
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
  if (connection === undefined || connection === "") {
    throw new TypeError("bullmq() needs the URL of a Redis, as its first argument or in TENON_REDIS_URL");
  }
  return new BullmqTasks(connection, options);
}

class BullmqTasks implements TaskExecutor {
  readonly #connection: string | ConnectionOptions;
  readonly #options: BullmqOptions;
  /** Ends the connections that were made here. */
  readonly #disconnects: (() => void)[] = [];
  #queue: Promise<Queue> | undefined;
  #worker: Worker | undefined;

  constructor(connection: string | ConnectionOptions, options: BullmqOptions) {
    const { concurrency = DEFAULT_CONCURRENCY, attempts = 1 } = options;
    check("concurrency", concurrency, 0);
    check("attempts", attempts, 1);
    this.#connection = connection;
    this.#options = options;
  }

  async start(work: TaskWork): Promise<void> {
    this.#queue = this.#open(work);
    await this.#queue;
  }

  async submit(taskId: string): Promise<void> {
    const queue = await this.#queue;
    if (queue === undefined) throw new Error("The queue of tasks is not open.");
    const { attempts = 1, backoff } = this.#options;
    // A job with this id that the queue has already stays as it is.
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

  async #open(work: TaskWork): Promise<Queue> {
    const library = await loadBullmq();
    const redis = typeof this.#connection === "string" ? await loadClient() : undefined;
    const connect = (): ConnectionOptions =>
      redis === undefined ? (this.#connection as ConnectionOptions) : this.#connectByUrl(library, redis);
    const { concurrency = DEFAULT_CONCURRENCY, prefix, stalledMs } = this.#options;
    const { queue: name = `tenon-${work.serverName.replace(/[^\w.-]/g, "_")}` } = this.#options;
    const common = prefix === undefined ? {} : { prefix };
    const onError = (error: Error): void =>
      work.log({ level: "error", event: "task-queue", msg: `The queue of tasks: ${error.message}` });
    const queue = new library.Queue(name, { ...common, connection: connect() });
    queue.on("error", onError);
    if (concurrency > 0) {
      const stalled = stalledMs === undefined ? {} : { lockDuration: stalledMs, stalledInterval: stalledMs };
      this.#worker = new library.Worker(
        name,
        async (job, token) => {
          const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
          if ((await work.run(job.id ?? "", { isLast })) === "done") return;
          await job.moveToWait(token);
          throw new library.WaitingError();
        },
        // How many processes may die of a task is for the task to say.
        { ...common, ...stalled, connection: connect(), concurrency, maxStalledCount: 1000 },
      );
      this.#worker.on("error", onError);
    }
    return queue;
  }

  #connectByUrl(library: Bullmq, redis: ClientLibrary): ConnectionOptions {
    const client = redis.createClient({ url: this.#connection as string });
    // BullMQ reports what happens to it.
    client.on("error", () => {});
    this.#disconnects.push(() => {
      if (client.isOpen) client.destroy();
    });
    return library.createNodeRedisClient(client);
  }
}

/** @throws Error with the command to run, where it is not installed */
async function loadBullmq(): Promise<Bullmq> {
  try {
    const loaded: Bullmq & { default?: Bullmq } = await import("bullmq");
    // In a bundle, what is CommonJS has its members in `default` alone.
    return "Queue" in loaded ? loaded : (loaded as { default: Bullmq }).default;
  } catch (error) {
    throw new Error(
      "Tasks are queued by the package `bullmq`. Install it: npm install bullmq @redis/client",
      {
        cause: error,
      },
    );
  }
}

function check(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new TypeError(`${name} of bullmq() must be a whole number from ${least} on (got ${String(value)})`);
}

import type { Principal } from "../api/caller.js";
import { ProtocolError } from "../api/errors.js";
import type { Call } from "../connection/call.js";
import type { Invocation } from "../connection/invocation.js";
import { bindingOf } from "../connection/principal.js";
import * as ErrorCode from "../protocol/error-codes.js";
import type { EndingTasks } from "../transports/drain.js";
import { SHUTTING_DOWN } from "../transports/drain.js";
import { createEndingTasks } from "./ending-tasks.js";
import { RunningHandlers } from "./running-handlers.js";
import { serveTask } from "./serve-task.js";
import type { FollowedTasks, ServerTasks, TaskRun, TaskSource, TaskSupport } from "./server-tasks.js";
import { TaskAsker } from "./task-asker.js";
import { Task } from "./task.js";

/** The tasks of one server, in the memory of this process: bounded in number and in time. */
export class MemoryTasks implements ServerTasks {
  readonly #source: TaskSource;
  readonly #handlers = new RunningHandlers();
  /** In the order of their beginning. */
  readonly #byId = new Map<string, { task: Task; expiry: NodeJS.Timeout }>();
  readonly ending: EndingTasks = createEndingTasks(() => Array.from(this.#byId.values(), ({ task }) => task));

  constructor(source: TaskSource) {
    this.#source = source;
  }

  serve(
    invocation: Invocation,
    support: TaskSupport,
    run: () => string | Promise<string>,
  ): string | Promise<string> {
    const { write, inProgress } = this.#source;
    const begin = (each: Invocation): TaskRun => this.#begin(each);
    return serveTask(invocation, support, { write, inProgress, handlers: this.#handlers, begin }, run);
  }

  find(id: unknown, principal: Principal | undefined): Task | undefined {
    const task = typeof id === "string" ? this.#byId.get(id)?.task : undefined;
    return task?.owner === bindingOf(principal) ? task : undefined;
  }

  follow(ids: readonly unknown[], principal: Principal | undefined): FollowedTasks {
    const tasks = ids.flatMap((id) => this.find(id, principal) ?? []);
    let removals: (() => void)[] = [];
    return {
      ids: tasks.map(({ id }) => id),
      begin: (notify) => {
        removals = tasks.map((task) => task.onChange(() => notify(task.details)));
      },
      over: async () => {
        await Promise.all(tasks.map((task) => task.whenOver()));
      },
      end: () => {
        for (const remove of removals) remove();
      },
    };
  }

  async close(withinMs: number): Promise<void> {
    this.ending.abandon(SHUTTING_DOWN);
    for (const { expiry } of this.#byId.values()) clearTimeout(expiry);
    this.#byId.clear();
    await this.#handlers.settle(withinMs);
  }

  #begin({ call, asker }: Invocation): TaskRun {
    const task = this.#create(call);
    return {
      summary: task.summary,
      asker: new TaskAsker(call, this.#source.forms, task, asker),
      report: (message) => task.report(message),
      complete: (result) => task.complete(result),
      fail: (error) => task.fail(error),
      onOver: (listener) => {
        const forget = task.onChange(() => {
          if (task.isOver && forget()) listener();
        });
      },
    };
  }

  /**
   * Begins a task for a call. When all places are taken, the oldest task that is over makes room.
   *
   * @throws ProtocolError when all of them are still at work
   */
  #create(call: Call): Task {
    const { limits } = this.#source;
    if (this.#byId.size >= limits.tasks && !this.#evict()) throw tooManyTasks();
    const ttlMs = limits.taskMs;
    const task = new Task({
      owner: bindingOf(call.peer.principal),
      ttlMs,
      leave: (reason) => call.leave(reason),
      stop: (reason) => call.cancel(reason),
    });
    const expiry = setTimeout(() => {
      this.#byId.delete(task.id);
      task.cancel("The task took too long.");
    }, ttlMs);
    expiry.unref();
    this.#byId.set(task.id, { task, expiry });
    return task;
  }

  #evict(): boolean {
    for (const [id, { task, expiry }] of this.#byId) {
      if (!task.isOver) continue;
      clearTimeout(expiry);
      return this.#byId.delete(id);
    }
    return false;
  }
}

/** The error for a call that would begin one task too many. */
export function tooManyTasks(): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, "Too many tasks are in progress.", undefined, 503);
}

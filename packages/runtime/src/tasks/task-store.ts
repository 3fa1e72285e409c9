import type { Call } from "../connection/call.js";
import type { Limits } from "../api/limits.js";
import type { Principal } from "../api/caller.js";
import { ProtocolError } from "../api/errors.js";
import { bindingOf } from "../connection/principal.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { Task } from "./task.js";

/** The tasks of one server, in the memory of this process: bounded in number and in time. */
export class TaskStore {
  readonly #limits: Limits;
  /** In the order of their beginning. */
  readonly #byId = new Map<string, { task: Task; expiry: NodeJS.Timeout }>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#byId.size;
  }

  /**
   * Begins a task for a call. When all places are taken, the oldest task that is over makes room.
   *
   * @throws ProtocolError when all of them are still at work
   */
  create(call: Call): Task {
    if (this.#byId.size >= this.#limits.tasks && !this.#evict()) {
      throw new ProtocolError(ErrorCode.InternalError, "Too many tasks are in progress.", undefined, 503);
    }
    const ttlMs = this.#limits.taskMs;
    const task = new Task({
      owner: bindingOf(call.peer.principal),
      ttlMs,
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

  /** A task of this principal; tasks of others are as if they were not there. */
  find(id: unknown, principal: Principal | undefined): Task | undefined {
    const task = typeof id === "string" ? this.#byId.get(id)?.task : undefined;
    return task?.owner === bindingOf(principal) ? task : undefined;
  }

  close(): void {
    for (const { task, expiry } of this.#byId.values()) {
      clearTimeout(expiry);
      task.cancel("The server is shutting down.");
    }
    this.#byId.clear();
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

import { Tool, ToolError } from "@tenon/runtime";
import type { Task, TaskStore } from "./task-store.js";

/** A new task. */
export interface NewTask {
  /**
   * Title of the task
   * @minLength 1
   * @maxLength 200
   */
  title: string;
  /** How urgent it is */
  priority?: Task["priority"];
}

/** The number that identifies a task. */
export interface TaskId {
  /**
   * The number of the task
   * @integer
   * @minimum 1
   */
  id: number;
}

/** Tools for the task list. */
export class TaskTools {
  readonly #store: TaskStore;

  constructor(store: TaskStore) {
    this.#store = store;
  }

  /** Adds a task to the list. */
  @Tool({ name: "add_task", destructive: false, openWorld: false })
  add({ title, priority = "normal" }: NewTask): Task {
    return this.#store.add(title, priority);
  }

  /** Marks a task as done. */
  @Tool({ name: "complete_task", destructive: false, idempotent: true, openWorld: false })
  complete({ id }: TaskId): Task {
    const task = this.#store.complete(id);
    if (!task) throw new ToolError(`There is no task ${id}. Use list_tasks to see their numbers.`);
    return task;
  }

  /**
   * Lists open tasks, most urgent first.
   * @param includeDone Whether to include completed tasks
   */
  @Tool({ name: "list_tasks", readOnly: true, openWorld: false })
  list(includeDone = false): Task[] {
    const urgency = { high: 0, normal: 1, low: 2 };
    return this.#store
      .all()
      .filter((task) => includeDone || !task.done)
      .sort((a, b) => urgency[a.priority] - urgency[b.priority] || a.id - b.id);
  }
}

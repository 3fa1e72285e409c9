/** A task. */
export interface Task {
  id: number;
  title: string;
  priority: "low" | "normal" | "high";
  done: boolean;
}

/** Stores tasks in memory. To keep them after a restart, implement the same methods with a database. */
export class TaskStore {
  readonly #tasks = new Map<number, Task>();
  #lastId = 0;

  add(title: string, priority: Task["priority"]): Task {
    this.#lastId += 1;
    const task: Task = { id: this.#lastId, title, priority, done: false };
    this.#tasks.set(task.id, task);
    return task;
  }

  find(id: number): Task | undefined {
    return this.#tasks.get(id);
  }

  all(): Task[] {
    return [...this.#tasks.values()];
  }

  complete(id: number): Task | undefined {
    const task = this.#tasks.get(id);
    if (task) task.done = true;
    return task;
  }
}

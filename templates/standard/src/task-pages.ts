import { NotFoundError, Prompt, Resource } from "@tenon/runtime";
import type { TaskStore } from "./task-store.js";

/** Resources and prompts for the task list. */
export class TaskPages {
  readonly #store: TaskStore;

  constructor(store: TaskStore) {
    this.#store = store;
  }

  /**
   * One task as a page.
   * @param id The number of the task
   * @mimeType text/markdown
   */
  @Resource("tasks://{id}")
  task(id: number): string {
    const task = this.#store.find(id);
    if (!task) throw new NotFoundError(`There is no task ${id}.`);
    return `# ${task.title}\n\nPriority: ${task.priority}\n\n${task.done ? "Done." : "Open."}\n`;
  }

  /**
   * Plans a day with the open tasks.
   * @param hours Number of available hours
   */
  @Prompt({ name: "plan_day" })
  planDay(hours = 8): string {
    return `List my tasks, then plan ${hours} hours so that the urgent ones come first. Leave time for breaks.`;
  }
}

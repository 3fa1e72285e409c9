import { declares, missingCapability } from "../ask/questions/capabilities.js";
import type { Forms } from "../ask/questions/served-form.js";
import { type Effect, Effects } from "../ask/once/once.js";
import type { Asker, Question } from "../ask/questions/question.js";
import type { Call } from "../connection/call.js";
import type { Task } from "./task.js";

/** Asks by way of a task: clients find the questions when they ask for it, and send answers by `tasks/update`. */
export class TaskAsker implements Asker {
  readonly forms: Forms;
  readonly #call: Call;
  readonly #task: Task;
  readonly #effects: Pick<Asker, "once" | "spendState">;

  /** @param before knows what the handler has done once before its call became a task, which is not done again */
  constructor(call: Call, forms: Forms, task: Task, before: Asker | undefined) {
    this.forms = forms;
    this.#effects = before ?? new Effects();
    this.#call = call;
    this.#task = task;
  }

  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { needs } = question;
    if (!declares(this.#call.client.capabilities, needs)) throw missingCapability(this.#call, needs);
    return this.#task.ask(question);
  }

  once<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.#effects.once(key, effect);
  }

  async spendState(): Promise<void> {
    await this.#effects.spendState?.();
  }
}

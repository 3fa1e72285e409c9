import { declares, missingCapability } from "../../ask/questions/capabilities.js";
import { type Effect, Effects, type KeepEffect } from "../../ask/once/once.js";
import type { Asker, Question } from "../../ask/questions/question.js";
import { QuestionKeys, questionChanged } from "../../ask/questions/question-keys.js";
import type { Forms } from "../../ask/questions/served-form.js";
import type { Asked } from "../../ask/questions/transcript.js";
import type { Call } from "../../connection/call.js";
import { readAnswer } from "../task-status.js";
import type { TaskRecord } from "./task-record.js";

/** Puts questions into a task. */
export interface TaskQuestions {
  ask<Answer>(key: string, asked: Asked, question: Question<Answer>): Promise<Answer>;
  /** The handler can go no further. */
  giveUp(error: Error): Promise<never>;
}

/** Asks by way of a task in the store. What an earlier run was answered is answered at once. */
export class StoredTaskAsker implements Asker {
  readonly forms: Forms;
  readonly #call: Call;
  readonly #task: TaskQuestions;
  readonly #before: ReadonlyMap<string, Asked>;
  readonly #asked = new Map<string, Asked>();
  readonly #keys: QuestionKeys;
  readonly #effects: Effects;
  readonly #earlier: Asker | undefined;

  /**
   * @param record as it was when this run began
   * @param earlier asked before the call became a task
   */
  constructor(
    call: Call,
    forms: Forms,
    task: TaskQuestions,
    record: TaskRecord,
    keep: KeepEffect,
    earlier: Asker | undefined,
  ) {
    this.forms = forms;
    this.#call = call;
    this.#task = task;
    this.#before = new Map(record.asked);
    this.#keys = new QuestionKeys(this.#before, this.#asked);
    const done = new Map(record.effects.map(([key, result]) => [key, result]));
    this.#earlier = earlier;
    this.#effects = new Effects({ callId: record.callId, done, keep });
  }

  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { needs } = question;
    if (!declares(this.#call.client.capabilities, needs)) throw missingCapability(this.#call, needs);
    const { key, text, occurrence } = this.#keys.identify(question);
    const before = this.#before.get(key);
    if (before !== undefined && before.question !== text) return this.#task.giveUp(questionChanged(key));
    const asked: Asked = { question: text, ...(occurrence === undefined ? {} : { occurrence }) };
    this.#asked.set(key, asked);
    if (before?.answer !== undefined) return readAnswer(question, key, before.answer) as Answer;
    return this.#task.ask(key, asked, question);
  }

  once<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.#effects.once(key, effect);
  }

  /** A later run has nothing to spend: no state of the client's began it. */
  async spendState(): Promise<void> {
    await this.#earlier?.spendState?.();
  }
}

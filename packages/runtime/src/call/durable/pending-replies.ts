import type { Question } from "../questions/question.js";
import type { AskedQuestion } from "../questions/transcript.js";
import type { DurableQuestion, QuestionReply } from "./durable-record.js";

/** A question whose reply the handler waits for. */
interface PendingReply {
  readonly asked: AskedQuestion;
  readonly question: Question<unknown>;
  resolve(reply: QuestionReply): void;
  reject(error: unknown): void;
}

/** The replies that the handler of one run waits for, by the keys of their questions. */
export class PendingReplies {
  readonly #byKey = new Map<string, PendingReply>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** Waits for the reply to a question. */
  add(key: string, asked: AskedQuestion, question: Question<unknown>): Promise<QuestionReply> {
    const reply = new Promise<QuestionReply>((resolve, reject) => {
      this.#byKey.set(key, { asked, question, resolve, reject });
    });
    // The run may end before the reply is awaited.
    reply.catch(() => {});
    return reply;
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }

  /** Returns the questions that are not recorded yet. */
  findUnrecorded(record: readonly (readonly [key: string, DurableQuestion])[]): [string, PendingReply][] {
    const known = new Set(record.map(([key]) => key));
    return [...this.#byKey].filter(([key]) => !known.has(key));
  }

  /** Passes a reply or an error to the handler. */
  settle(key: string, reply: QuestionReply | Error): void {
    const pending = this.#byKey.get(key);
    if (reply instanceof Error) pending?.reject(reply);
    else pending?.resolve(reply);
  }

  /** Settles the questions whose replies are recorded. */
  settleRecorded(record: readonly (readonly [key: string, DurableQuestion])[]): void {
    for (const [key, { reply }] of record) if (reply !== undefined) this.settle(key, reply);
  }

  /** Rejects all pending replies. */
  rejectAll(error: Error): void {
    for (const key of this.#byKey.keys()) this.settle(key, error);
    this.#byKey.clear();
  }
}

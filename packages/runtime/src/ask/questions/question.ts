import type { ClientCapabilities } from "../../protocol/specification.js";
import type { Effect } from "../once/once.js";
import type { Forms } from "./served-form.js";
import type { Transcript } from "./transcript.js";

/** A question to the client, in the specification's own terms, with the reading of its answers. */
export interface Question<Answer> {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: object;
  /** What keys given automatically start with. */
  readonly kind: "elicit" | "url" | "sample" | "roots";
  /** The author's own key. */
  readonly key: string | undefined;
  /** The compiled form that reads answers, where there is one. */
  readonly form?: string | undefined;
  /** What the client must have declared to be asked. */
  readonly needs: ClientCapabilities;
  /**
   * Checks an answer and turns it into what the handler gets.
   *
   * @throws AnswerError when the answer is none to this question
   */
  read(answer: unknown): Answer;
}

/** The client answered with something that is no answer; the message says what is wrong. */
export class AnswerError extends Error {
  override name = "AnswerError";
}

/** Asks the client in the way of one era, for the time of one call. */
export interface Asker {
  readonly forms: Forms;
  /** True while questions of this run will only be answered in a later one. */
  readonly isWaiting?: boolean;
  /** What a run from the handler's beginning has to know of this one and of those before. */
  readonly transcript?: Transcript;
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
  /** See `Context.once`. */
  once<T>(key: string, effect: Effect<T>): Promise<T>;
  /** An id that cannot be guessed, the same in all runs of the call. Absent where there is one run. */
  newId?(): Promise<string>;
  /** See `Context.spendState`. Absent where answers cannot come twice. */
  spendState?(): Promise<void>;
}

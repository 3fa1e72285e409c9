import { ToolError } from "../../api/errors.js";
import type { ClientCapabilities } from "../../protocol/specification.js";
import type { Effect } from "../steps/effects.js";
import type { Forms } from "./served-form.js";
import type { Transcript } from "./transcript.js";

/** A request to the client, and how to read its result. */
export interface Question<Answer> {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: object;
  /** The prefix of automatic keys. */
  readonly kind: "elicit" | "url" | "sample" | "roots";
  /** The author's key, if there is one. */
  readonly key: string | undefined;
  /** The ID of the compiled form that reads answers, if there is one. */
  readonly form?: string | undefined;
  /** The capabilities that the client must have declared. */
  readonly needs: ClientCapabilities;
  /**
   * Validates an answer and converts it to the value that the handler receives.
   *
   * @throws AnswerError for an answer that does not fit the question
   */
  read(answer: unknown): Answer;
}

/** An answer that does not fit its question. The message contains the reason. */
export class AnswerError extends Error {
  override name = "AnswerError";
}

/**
 * Reads the response to a question that was sent as a request.
 *
 * @throws ToolError for a response that does not fit the question
 */
export function readResponse<Answer>({ method, read }: Question<Answer>, response: unknown): Answer {
  try {
    return read(response);
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    throw new ToolError(`The client's response to ${method} is not valid: ${error.message}`);
  }
}

/** Sends the questions of one call to the client, as the call's era requires. */
export interface InputRequester {
  readonly forms: Forms;
  /** Whether this run has questions that only a later run can answer. */
  readonly isWaiting?: boolean;
  /** The questions and effects of this run and of earlier ones, for the next run. */
  readonly transcript?: Transcript;
  ask<Answer>(question: Question<Answer>): Promise<Answer>;
  /** See `Context.step`. */
  step<T>(key: string, effect: Effect<T>): Promise<T>;
  /** Creates an unguessable ID that is the same in all runs of the call. Absent if a call has one run. */
  createId?(): Promise<string>;
  /** Resolves to the handler's value, or to the questions that end the run. Absent if no questions end runs. */
  resolveOutcome?(value: PromiseLike<unknown>): Promise<unknown>;
  /** See `Context.consumeRequestState`. Absent if answers cannot be sent repeatedly. */
  consumeState?(): Promise<void>;
}

/** Returns the error for a question that a handler asks after its call has ended. */
export function createCallEndedError(): Error {
  return new Error(
    "The call has ended, so the handler can no longer ask its client. Await each question before the handler returns.",
  );
}

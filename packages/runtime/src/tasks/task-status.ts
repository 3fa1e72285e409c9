import { invalidParams, isProtocolError } from "../api/errors.js";
import { AnswerError, type Question } from "../ask/questions/question.js";
import * as ErrorCode from "../protocol/error-codes.js";

/** @see https://modelcontextprotocol.io/extensions/tasks */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** How often clients should ask for the status, in milliseconds. */
export const POLL_INTERVAL_MS = 500;

/** What a status brings along. */
export interface TaskOutcome {
  readonly result?: object;
  readonly error?: object;
}

/** A status that no other follows. */
export function isOver(status: TaskStatus): boolean {
  return status !== "working" && status !== "input_required";
}

/** What is told of a task that failed. */
export function taskError(error: unknown): object {
  const { code, message, data } = isProtocolError(error)
    ? error
    : {
        code: ErrorCode.InternalError,
        message: "The task failed because of an internal error.",
        data: undefined,
      };
  return data === undefined ? { code, message } : { code, message, data };
}

/** What a handler gets that still waits for an answer. */
export function overError(): Error {
  return new DOMException("The task is over.", "AbortError");
}

/** @throws ProtocolError when the answer is none to its question */
export function readAnswer({ read }: Pick<Question<unknown>, "read">, key: string, answer: unknown): unknown {
  try {
    return read(answer);
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    throw invalidParams(`The input response "${key}" is not valid: ${error.message}`);
  }
}

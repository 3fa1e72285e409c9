import { createInvalidParamsError, isProtocolError } from "../../api/errors.js";
import { AnswerError, type Question } from "../questions/question.js";
import * as ErrorCode from "../../protocol/error-codes.js";

/** @see https://modelcontextprotocol.io/extensions/tasks */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** The time after which clients should poll the status again, in milliseconds. */
export const POLL_INTERVAL_MS = 500;

/** The result or the error of a task that has ended. */
export interface TaskOutcome {
  readonly result?: object;
  readonly error?: object;
}

/** Returns whether a status is final. */
export function isDone(status: TaskStatus): boolean {
  return status !== "working" && status !== "input_required";
}

/** Returns the JSON-RPC error of a task that failed. */
export function toTaskError(error: unknown): object {
  const { code, message, data } = isProtocolError(error)
    ? error
    : {
        code: ErrorCode.InternalError,
        message: "The task failed because of an internal error.",
        data: undefined,
      };
  return data === undefined ? { code, message } : { code, message, data };
}

/**
 * Reads an answer.
 *
 * @throws ProtocolError for an answer that does not fit its question
 */
export function readAnswer<Answer>(read: Question<Answer>["read"], key: string, answer: unknown): Answer {
  try {
    return read(answer);
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    throw createInvalidParamsError(`The input response "${key}" is not valid: ${error.message}`);
  }
}

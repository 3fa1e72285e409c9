import type { ToolResult } from "@tenon/runtime/manifest";

/**
 * Reason why a view could not do something:
 *
 * - `capability-missing`: the host lacks the `capability`
 * - `rejected`: the host or its user refused
 * - `tool-failed`: the tool failed; `result` is its result, and `message` its text
 * - `result-unreadable`: the host passed a result without the data that the tool returns
 */
export type ViewErrorCode = "capability-missing" | "rejected" | "tool-failed" | "result-unreadable";

/** Failure of a request to the host or to a tool. */
export interface ViewError extends Error {
  readonly code: ViewErrorCode;
  /** The capability that the host lacks, such as `"serverTools"`. */
  readonly capability?: string;
  /** The result of a tool that failed. */
  readonly result?: ToolResult;
}

/** Creates an error. A class would be twice as large. */
export function createViewError(
  code: ViewErrorCode,
  message: string,
  details?: Pick<ViewError, "capability" | "result">,
): ViewError {
  return Object.assign(new Error(message), { code, ...details });
}

import { InputRequired } from "../ask/input-required.js";
import type { Invoke } from "../assembly/handlers.js";
import { settle } from "../connection/settle.js";
import type { Result, WriteResult } from "../results/envelope.js";
import type { RunHandler } from "./method.js";

/**
 * @param invoke how handlers are called
 * @param sanitize makes what their results say fit to be shown
 */
export function createRunner(
  write: WriteResult,
  invoke: Invoke,
  sanitize: (result: Result) => Result,
): RunHandler {
  return (invocation, handler, args, { toResult, toFailure, hint }) => {
    const { revision } = invocation.call;
    return settle(
      () => invoke(invocation, handler, args),
      (value) =>
        value instanceof InputRequired
          ? write(revision, value.result, { type: "input_required" })
          : write(revision, sanitize(toResult(value)), hint && { hint }),
      (error) => write(revision, toFailure(error)),
    );
  };
}

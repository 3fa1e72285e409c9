import { InputRequired } from "../ask/input-required.js";
import type { Invoke } from "../assembly/handlers.js";
import { settle } from "../connection/settle.js";
import type { WriteResult } from "../results/envelope.js";
import type { RunHandler } from "./method.js";

/** @param invoke how handlers are called */
export function createRunner(write: WriteResult, invoke: Invoke): RunHandler {
  return (invocation, handler, args, { toResult, toFailure, hint }) => {
    const { revision } = invocation.call;
    return settle(
      () => invoke(invocation, handler, args),
      (value) =>
        value instanceof InputRequired
          ? write(revision, value.result, { type: "input_required" })
          : write(revision, toResult(value), hint && { hint }),
      (error) => write(revision, toFailure(error)),
    );
  };
}

import { isToolError } from "../../api/errors.js";
import { toErrorResult } from "../../data/results/tool-result.js";
import type { Stage } from "./stage.js";

/** The methods that wait for the author's code. */
const COUNTED_METHODS: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
  "resources/list",
]);

/** Rejects the calls of a caller that has too many in progress. */
export const limitConcurrency: Stage<string> = (next, method, { inProgress, write }) => {
  if (!COUNTED_METHODS.has(method)) return next;
  return function countCall(call) {
    const rejection = call.isRecovered ? undefined : inProgress.findRejection(call);
    if (isToolError(rejection)) {
      if (call.notes !== undefined) call.notes.outcome = "rejected";
      return write(call.revision, toErrorResult(rejection.message));
    }
    if (rejection !== undefined) throw rejection;
    const result = next(call);
    if (typeof result !== "string") call.onFinish(inProgress.trackCall(call));
    return result;
  };
};

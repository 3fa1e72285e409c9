import { ProtocolError } from "../../api/errors.js";
import { formatDuration } from "../../data/explanations/format-duration.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import type { Stage } from "./stage.js";

/** The methods that call a handler, whose time `limitTime` limits, and subscriptions, which have no time limit. */
const UNLIMITED_METHODS: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
  "subscriptions/listen",
]);

/** Responds with an error in place of a method that takes longer than `limits.callTimeoutMs`. */
export const limitMethodTime: Stage<string> = (next, method, { settings }) => {
  const { callTimeoutMs } = settings.limits;
  if (callTimeoutMs === 0 || UNLIMITED_METHODS.has(method)) return next;
  return function waitForMethod(call) {
    const result = next(call);
    if (!(result instanceof Promise)) return result;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (call.notes !== undefined) call.notes.outcome = "timeout";
        const message = `The call took longer than ${formatDuration(callTimeoutMs)} and was stopped.`;
        reject(new ProtocolError(ErrorCode.InternalError, message));
        // A cancelled call receives no response, so this one must be sent first.
        queueMicrotask(() => call.cancel("The call took too long.", "TimeoutError"));
      }, callTimeoutMs);
      void result.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };
};

import { isProtocolError, isToolError, ToolError } from "../../api/errors.js";
import { formatDuration } from "../../data/explanations/format-duration.js";
import type { Call, HandlerTime } from "../connection/call.js";
import { isThenable, type ServerParts, type Stage, type Target } from "./stage.js";

/** The error that `next()` throws in middleware, and that the client receives, after the time limit of a call. */
class TimeoutError extends ToolError {
  override name = "TimeoutError";
}

/**
 * Limits the time of a call to the handler's own limit, otherwise to `limits.callTimeoutMs`. After that, the handler's
 * signal is aborted, and `next()` throws a `TimeoutError` in the middleware around it. The client receives a response
 * immediately: that of the middleware, unless the middleware waits for something else. A call that has become a task is
 * limited by `limits.taskLifetimeMs` instead.
 */
export const limitTime: Stage = (next, target, server) => {
  const ms = findLimit(target, server);
  if (ms === 0) return next;
  const subject = target.callsHandler ? target.subject : `completion for ${target.subject}`;
  const message = `The ${subject} took longer than ${formatDuration(ms)} and was stopped.`;
  return function startTimer(call) {
    const time: HandlerTime = { waiting: new Set() };
    call.time = time;
    const result = next(call);
    if (!isThenable(result)) return result;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const error = new TimeoutError(message);
        time.expired = error;
        // This precedes the abort, since a handler whose signal is aborted may end with a different error.
        for (const fail of time.waiting) fail(error);
        call.abort(message, "TimeoutError");
        setTimeout(() => reject(error));
      }, ms);
      call.onFinish(() => clearTimeout(timer));
      result.then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error: unknown) => {
          clearTimeout(timer);
          // A middleware that waited for something else ends with the error of its aborted signal.
          if (time.expired !== undefined) reportLateError(error, call, target, server);
          reject(time.expired !== undefined && !isForClient(error) ? time.expired : (error as Error));
        },
      );
    });
  };
};

/** Stops waiting for a handler after the time limit of `limitTime`. */
export const interruptHandler: Stage = (next, target, server) => {
  if (findLimit(target, server) === 0) return next;
  return function waitForHandler(call) {
    const { time } = call;
    if (time?.expired !== undefined) throw time.expired;
    const handled = next(call);
    if (!isThenable(handled) || time === undefined) return handled;
    return new Promise((resolve, reject) => {
      time.waiting.add(reject);
      handled.then(resolve, (error: unknown) => {
        if (time.expired !== undefined) reportLateError(error, call, target, server);
        reject(error as Error);
      });
    });
  };
};

/** Returns the time limit of a target, in milliseconds; 0 for none. */
function findLimit({ handler, entry }: Target, { settings }: ServerParts): number {
  return handler.options.timeoutMs ?? entry.timeoutMs ?? settings.limits.callTimeoutMs;
}

/** Reports an error that was thrown after the time limit. */
function reportLateError(
  error: unknown,
  call: Call,
  { subject }: Target,
  { reportError }: ServerParts,
): void {
  if (!isForClient(error)) reportError(error, subject, call);
}

function isForClient(error: unknown): boolean {
  return isToolError(error) || isProtocolError(error);
}

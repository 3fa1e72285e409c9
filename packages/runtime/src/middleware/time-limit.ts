import type { CallResult } from "../api/middleware.js";
import { isProtocolError, isToolError, ToolError } from "../api/errors.js";
import type { Entries } from "../assembly/entries.js";
import type { Handler } from "../assembly/handlers.js";
import { checkedTimeout } from "../assembly/limits.js";
import { isThenable } from "../connection/settle.js";
import type { Call } from "../connection/call.js";
import type { Step, TimeLimitOf } from "./chain.js";
import { durationText } from "../explain/duration-text.js";
import type { ServedCall } from "./served-call.js";
import { subjects } from "./subjects.js";

/** Takes an error that nobody waits for any more. */
type ReportError = (error: unknown, subject: string, call: Call) => unknown;

interface TimeLimit {
  /** What it is of. */
  readonly subject: string;
  readonly ms: number;
  readonly reportError: ReportError;
}

/** What `next()` throws, and what the client reads, when the time of a call is up. */
class TimeoutError extends ToolError {
  override name = "TimeoutError";
}

/**
 * The time limits of handlers: their own, or else `limits.callMs`. A call that has been answered with a task is under none
 * of them: `limits.taskMs` holds for that.
 *
 * @throws TypeError for limits that are none
 */
export function createTimeLimits(callMs: number, entries: Entries, reportError: ReportError): TimeLimitOf {
  const limits = new Map<Handler, TimeLimit>();
  for (const { subject, entry, handler } of subjects(entries)) {
    const ms = checkedTimeout(handler.options.timeoutMs ?? entry.timeoutMs ?? callMs, subject);
    if (ms > 0) limits.set(handler, { subject, ms, reportError });
  }
  return (handler) => {
    const limit = limits.get(handler);
    return limit && ((steps) => withTimeLimit(limit, steps));
  };
}

/**
 * When the time is up, the handler's signal is aborted and `next()` throws a `TimeoutError` in the middleware around it.
 * The client is answered at once: with what the middleware makes of that, unless it waits for something else meanwhile.
 */
function withTimeLimit(limit: TimeLimit, steps: Step): Step {
  const { ms, subject, reportError } = limit;
  return (served, serve) => {
    let expired: TimeoutError | undefined;
    const waiting = new Set<(error: TimeoutError) => void>();
    const result = steps(served, () => {
      if (expired !== undefined) throw expired;
      const handled = serve();
      if (!isThenable(handled)) return handled;
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        handled.then(resolve, (error: unknown) => {
          const isMeant = isToolError(error) || isProtocolError(error);
          if (expired !== undefined && !isMeant) reportError(error, subject, served.call);
          reject(error as Error);
        });
      });
    });
    if (!isThenable(result)) return result;
    const { call } = served;
    return new Promise<CallResult>((resolve, reject) => {
      const timer = setTimeout(() => {
        const error = new TimeoutError(messageOf(limit, served));
        expired = error;
        // Before the signal, on which the handler may end in a way of its own.
        for (const fail of waiting) fail(error);
        call.leave(error.message, "TimeoutError");
        setTimeout(() => reject(error));
      }, ms);
      call.onFinish(() => clearTimeout(timer));
      result.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };
}

function messageOf({ ms, subject }: TimeLimit, { method }: ServedCall): string {
  const what = method === "completion/complete" ? `completion for ${subject}` : subject;
  return `The ${what} took longer than ${durationText(ms)} and was stopped.`;
}

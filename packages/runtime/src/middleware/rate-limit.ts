import type { CallResult } from "../api/middleware.js";
import type { RateLimitOf } from "../api/rate-limit.js";
import type { Entries } from "../assembly/entries.js";
import type { Handler } from "../assembly/handlers.js";
import { checkedRateLimit } from "../assembly/limits.js";
import { settle } from "../connection/settle.js";
import type { RateLimit } from "../manifest.js";
import type { CallCounts, CountedLimit, Excess } from "./call-counts.js";
import type { StepTo } from "./chain.js";
import { countedCallers } from "./counted-callers.js";
import { durationText } from "../explain/duration-text.js";
import { tooManyCalls } from "./excess.js";
import type { ServedCall } from "./served-call.js";
import { subjects } from "./subjects.js";

/** A rate limit of the server or of one handler. */
interface NamedRateLimit {
  /** What it is of, such as `tool "book"`; empty for the whole server. */
  readonly name: string;
  readonly rateLimit: RateLimit | RateLimitOf;
  /** On which it is called, where it is a behaviour. */
  readonly owner: object | undefined;
}

/**
 * The steps that hold callers to rate limits, by handler: none where there is no limit. A call counts when it comes, be
 * its arguments wrong or the caller without the scopes; one that is refused here does not count. Each round of a call
 * that asks its client in revision 2026-07-28 is a call, since what a round brings along may be sent again and again.
 *
 * @throws TypeError for limits that are none
 */
export function createRateLimits(
  server: RateLimit | RateLimitOf | undefined,
  entries: Entries,
  counts: CallCounts,
): StepTo {
  const whole = server && { name: "", rateLimit: server, owner: undefined };
  const own = new Map<Handler, NamedRateLimit>();
  for (const { subject, entry, handler } of subjects(entries)) {
    const written = typeof entry.rateLimit === "object" ? entry.rateLimit : undefined;
    const rateLimit = checkedRateLimit(handler.options.rateLimit ?? written, subject);
    if (rateLimit !== undefined) own.set(handler, { name: subject, rateLimit, owner: handler.owner });
  }
  return (handler) => {
    const ofHandler = own.get(handler);
    if (whole === undefined && ofHandler === undefined) return undefined;
    return (served, next) => {
      if (served.call.isAgain) return next();
      const isCompletion = served.method === "completion/complete";
      const limits = [whole, isCompletion ? undefined : ofHandler].flatMap(
        (each) => (each && limitFor(each, served)) ?? [],
      );
      if (limits.length === 0) return next();
      return settle<CallResult>(
        () => counts.take(countedCallers(served.call), limits),
        (excess) => {
          if (excess !== undefined) throw refusal(served, excess as Excess);
          return next() as CallResult;
        },
        (error) => {
          throw error;
        },
      );
    };
  };
}

function limitFor({ name, rateLimit, owner }: NamedRateLimit, served: ServedCall): CountedLimit | undefined {
  const isBehaviour = typeof rateLimit === "function";
  const limit = isBehaviour ? rateLimit.call(owner, served) : rateLimit;
  if (isBehaviour) checkedRateLimit(limit, name === "" ? "defineServer()" : name);
  return limit && { name, calls: limit.calls, windowMs: limit.windowMs };
}

function refusal({ call }: ServedCall, { limit, retryAfterMs }: Excess): Error {
  const { name, calls, windowMs } = limit;
  const what = name === "" ? "Too many calls" : `Too many calls of ${name}`;
  const are = calls === 1 ? "is" : "are";
  return tooManyCalls(call, `${what}: ${calls} in ${durationText(windowMs)} ${are} allowed.`, retryAfterMs);
}

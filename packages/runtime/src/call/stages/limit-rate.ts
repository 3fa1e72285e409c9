import type { RateLimitResolver } from "../../api/rate-limit.js";
import { formatDuration } from "../../data/explanations/format-duration.js";
import type { RateLimit } from "../../manifest.js";
import { checkOptions } from "../../data/options/check-options.js";
import { RATE_LIMIT } from "../../data/options/rule-kinds.js";
import type { Call } from "../connection/call.js";
import type { NamedLimit, ExceededLimit } from "../limits/call-counts.js";
import { getRateLimitKeys } from "../limits/rate-limit-keys.js";
import { createTooManyCallsError } from "../limits/too-many-calls.js";
import { isThenable, type Stage, type Target } from "./stage.js";
import { TargetCall } from "./target-call.js";

/** A rate limit of the server or of one handler. */
interface NamedRateLimit {
  /** The subject, such as `tool "book"`; empty for the whole server. */
  readonly name: string;
  readonly rateLimit: RateLimit | RateLimitResolver;
  /** The instance on which a callback is called. */
  readonly owner: object | undefined;
}

/**
 * Rejects calls that exceed a rate limit of the server or of the handler. It is one of the first stages, so that a flood
 * costs little. A call counts even if its arguments are wrong or the caller lacks scopes, but not if it is rejected here.
 * Each round of a multi-round call of revision 2026-07-28 counts, since its content may be sent repeatedly.
 */
export const limitRate: Stage = (next, target, { settings, counts }) => {
  const { rateLimit } = settings;
  const serverLimit = rateLimit && { name: "", rateLimit, owner: undefined };
  const limits = [serverLimit, findHandlerLimit(target)].flatMap((each) => each ?? []);
  if (limits.length === 0) return next;
  return function countForRate(call) {
    if (call.isRecovered) return next(call);
    const applied = limits.flatMap((each) => resolveLimit(each, call, target) ?? []);
    if (applied.length === 0) return next(call);
    const proceed = (exceeded: ExceededLimit | undefined): unknown => {
      if (exceeded !== undefined) throw createRateLimitError(call, exceeded);
      return next(call);
    };
    const exceeded = counts.consume(getRateLimitKeys(call), applied);
    return isThenable(exceeded) ? exceeded.then(proceed) : proceed(exceeded);
  };
};

/** Returns the limit of a handler. Completions count only for the limit of the server. */
function findHandlerLimit({ callsHandler, entry, handler, subject }: Target): NamedRateLimit | undefined {
  if (!callsHandler) return undefined;
  const declared = typeof entry.rateLimit === "object" ? entry.rateLimit : undefined;
  const rateLimit = handler.options.rateLimit ?? declared;
  return rateLimit && { name: subject, rateLimit, owner: handler.owner };
}

function resolveLimit(
  { name, rateLimit, owner }: NamedRateLimit,
  call: Call,
  target: Target,
): NamedLimit | undefined {
  if (typeof rateLimit !== "function") return { name, ...rateLimit };
  const limit = rateLimit.call(owner, new TargetCall(call, target));
  if (limit === undefined) return undefined;
  checkOptions(limit, RATE_LIMIT, name === "" ? undefined : name, ["rateLimit"]);
  return { name, calls: limit.calls, windowMs: limit.windowMs };
}

function createRateLimitError(call: Call, { limit, retryAfterMs }: ExceededLimit): Error {
  const { name, calls, windowMs } = limit;
  const problem = name === "" ? "Too many calls" : `Too many calls to ${name}`;
  const verb = calls === 1 ? "is" : "are";
  return createTooManyCallsError(
    call,
    `${problem}: ${calls} in ${formatDuration(windowMs)} ${verb} allowed.`,
    retryAfterMs,
  );
}

import type { Limits } from "../api/limits.js";
import type { RateLimit } from "../manifest.js";

/** What holds when the server says nothing else. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 4 * 1024 * 1024,
  lineBytes: 10 * 1024 * 1024,
  batchMessages: 100,
  depth: 256,
  values: 200_000,
  sessions: 10_000,
  sessionIdleMs: 30 * 60 * 1000,
  sessionMs: 7 * 24 * 60 * 60 * 1000,
  streamBytes: 16 * 1024 * 1024,
  replayBytes: 1024 * 1024,
  subscriptions: 16_384,
  subscribedResources: 1000,
  calls: 4096,
  callsPerCaller: 1024,
  callMs: 0,
  drainMs: 7000,
  stdinDrainMs: 1600,
  answerMs: 10 * 60 * 1000,
  tasks: 1024,
  taskBytes: 4 * 1024 * 1024,
  taskMs: 60 * 60 * 1000,
  countedCallers: 65_536,
};

/** Limits for which 0 means that there is none. */
const MAY_BE_ZERO: ReadonlySet<keyof Limits> = new Set<keyof Limits>(["callMs", "replayBytes"]);

/**
 * The defaults with some of them replaced.
 *
 * @throws TypeError when a limit is not a positive number: a bound that does not bind is a mistake.
 */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  const limits = { ...DEFAULT_LIMITS };
  for (const name of Object.keys(DEFAULT_LIMITS) as (keyof Limits)[]) {
    const value = given[name];
    if (value === undefined) continue;
    const isBound = typeof value === "number" && (value > 0 || (value === 0 && MAY_BE_ZERO.has(name)));
    if (!isBound) throw new TypeError(`limits.${name} must be a positive number (got ${String(value)})`);
    if (name.endsWith("Ms")) checkTimer(value, `limits.${name}`);
    limits[name] = value;
  }
  return limits;
}

/**
 * A rate limit as it is given; one that is decided for each caller is checked then.
 *
 * @param place where it is given
 * @throws TypeError for what is none
 * @example
 * checkedRateLimit({ calls: 0, windowMs: 1000 }, "defineServer()")
 * // TypeError: rateLimit.calls of defineServer() must be a positive whole number (got 0)
 */
export function checkedRateLimit<Given>(given: Given, place: string): Given {
  if (given === undefined || typeof given === "function") return given;
  const { calls, windowMs } = Object(given) as Partial<RateLimit>;
  if (!Number.isSafeInteger(calls) || Number(calls) <= 0) {
    throw new TypeError(`rateLimit.calls of ${place} must be a positive whole number (got ${String(calls)})`);
  }
  if (typeof windowMs !== "number" || !Number.isFinite(windowMs) || windowMs <= 0) {
    throw new TypeError(
      `rateLimit.windowMs of ${place} must be a positive number of milliseconds (got ${String(windowMs)})`,
    );
  }
  return given;
}

/**
 * The time that a handler has, as it is given.
 *
 * @param place where it is given
 * @throws TypeError for what is none
 */
export function checkedTimeout(ms: number, place: string): number {
  if (typeof ms !== "number" || !(ms >= 0)) {
    throw new TypeError(`timeoutMs of ${place} must be a number of milliseconds (got ${String(ms)})`);
  }
  checkTimer(ms, `timeoutMs of ${place}`);
  return ms;
}

/** What timers can count up to, in milliseconds. They take whatever is more for nothing. */
const LONGEST_TIMER = 2_147_483_647;

function checkTimer(ms: number, name: string): void {
  if (ms <= LONGEST_TIMER) return;
  throw new TypeError(`${name} must be at most ${LONGEST_TIMER}, which is 24 days (got ${ms})`);
}

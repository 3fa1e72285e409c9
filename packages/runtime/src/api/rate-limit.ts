import type { RateLimit } from "../manifest.js";
import type { Caller } from "./caller.js";

/** Decides how often a caller may call; `undefined` sets no limit. */
// oxlint-disable-next-line typescript/no-explicit-any -- a decorator does not see its class, so that it has to be named
export type RateLimitOf<This = any> = (this: This, caller: Caller) => RateLimit | undefined;

import type { RateLimit } from "../manifest.js";
import type { Caller } from "./caller.js";

/** Decides the rate limit of a caller; `undefined` means none. */
// oxlint-disable-next-line typescript/no-explicit-any -- a decorator does not see its class, so authors pass it to type `this`
export type RateLimitResolver<This = any> = (this: This, caller: Caller) => RateLimit | undefined;

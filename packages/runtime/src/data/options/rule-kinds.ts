/**
 * Rules that options of several decorators and of `defineServer` share.
 * @module
 */
import { isObject } from "../../protocol/jsonrpc.js";
import { isMimeType } from "../../protocol/mime-types.js";
import type { OptionRule, OptionRules } from "./option-rule.js";
import { parseUrl } from "../../protocol/parse-url.js";

/** The maximum delay of a timer, in milliseconds. Timers with longer delays fire immediately. */
const MAX_TIMER_MS = 2_147_483_647;

export const ANY_STRING = rule("a string", isString);
export const STRING = rule("a string that is not empty", (value) => isString(value) && value !== "");
export const BOOLEAN = rule("true or false", (value) => typeof value === "boolean");
export const CALLBACK = rule("a function", isFunction);
export const DATA = rule("an object", isObject);
export const SIZE = rule(
  "a whole number, at least 0",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const COUNT = rule("a positive whole number", (value) => SIZE.accepts(value) && value !== 0);
export const MIME_TYPE = rule("a MIME type, such as text/markdown", isMimeType);
export const STRINGS = list("a list of strings", STRING);

/** A lifetime that clients receive as a whole number. */
const LIFETIME = rule("a whole number of milliseconds, at least 0", SIZE.accepts);

/** The delay of a timer; 0 may mean that there is none. */
export const DELAY = rule(
  `a number of milliseconds from 0 to ${MAX_TIMER_MS}, which is 24 days`,
  (value) => typeof value === "number" && value >= 0 && value <= MAX_TIMER_MS,
);

/** The positive delay of a timer. */
export const POSITIVE_DELAY = rule(
  `a positive number of milliseconds, at most ${MAX_TIMER_MS}, which is 24 days`,
  (value) => DELAY.accepts(value) && value !== 0,
);

export const CACHE = object("an object with ttlMs or cacheScope", {
  ttlMs: LIFETIME,
  cacheScope: oneOf("public", "private"),
});

/** The source of an icon: clients have no base URL for a relative path. */
const ICON_SOURCE = rule(
  "a URL that begins with https:, http:, or data:",
  (value) => typeof value === "string" && /^(?:https?|data):/i.test(value) && parseUrl(value) !== undefined,
);

export const ICONS = list(
  'a list of icons, such as [{ src: "https://example.com/icon.png" }]',
  object(
    "an icon with a src",
    { src: ICON_SOURCE, mimeType: MIME_TYPE, sizes: STRINGS, theme: oneOf("light", "dark") },
    ["src"],
  ),
);

export const MIDDLEWARE = list(
  "a list of functions: (call, next) => next()",
  rule("a function: (call, next) => next()", isFunction),
);
export const UNKNOWN_ARGUMENTS = oneOf("reject", "ignore");

/** Data, or a callback that returns it. */
export const RATE_LIMIT: OptionRule = {
  ...object(
    "an object with calls and windowMs, or a function that returns one",
    {
      calls: COUNT,
      windowMs: rule(
        "a positive number of milliseconds",
        (value) => Number.isFinite(value) && Number(value) > 0,
      ),
    },
    ["calls", "windowMs"],
  ),
  accepts: (value) => isFunction(value) || isObject(value),
};

/** Options of every declaration. */
export const DEFINITION_RULES: OptionRules = {
  name: STRING,
  title: ANY_STRING,
  description: ANY_STRING,
  icons: ICONS,
};

/** Creates a rule. */
export function rule(expected: string, accepts: OptionRule["accepts"]): OptionRule {
  return { expected, accepts };
}

/** Creates the rule of a value that is an object with certain members. */
export function object(expected: string, members: OptionRules, required: readonly string[] = []): OptionRule {
  return { expected, accepts: isObject, members, required };
}

/** Creates the rule of a value that is a list. */
export function list(expected: string, elements: OptionRule): OptionRule {
  return { expected, accepts: Array.isArray, elements };
}

/** Creates the rule of a value that is one of several strings. */
export function oneOf(...values: readonly string[]): OptionRule {
  const quoted = values.map((each) => `"${each}"`);
  const last = quoted.pop() ?? "";
  const expected =
    quoted.length === 0 ? last : `${quoted.join(", ")}${quoted.length > 1 ? "," : ""} or ${last}`;
  return rule(expected, (value) => values.some((each) => each === value));
}

/** Creates the rule of an object with certain methods. */
export function objectWithMethods(expected: string, ...methods: readonly string[]): OptionRule {
  return rule(expected, (value) => isObject(value) && methods.every((each) => isFunction(value[each])));
}

/** Options that only the compiler reads and checks: see `compiled-rules.ts`. */
export const UNCHECKED = rule("constant", () => true);

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

export const AMOUNT_OR_NONE = rule(
  "a positive number, or 0 for none",
  (value) => typeof value === "number" && value >= 0,
);

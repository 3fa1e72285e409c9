import { isHost, isOrigin } from "./host-and-origin-values.js";
import type { OptionRule } from "./option-rule.js";
import { BOOLEAN, CALLBACK, list, object, rule, SIZE, STRING, STRINGS } from "./rule-kinds.js";

/** The rule of a path on the server. */
export const PATH = rule(
  'a path such as "/healthz"',
  (value) => typeof value === "string" && value.startsWith("/"),
);

/** The rule of a list of hosts. */
export const HOSTS = list(
  "a list of hosts",
  rule('a host without a scheme or path, such as "mcp.example.com" or "[2001:db8::1]"', isHost),
);

/** The rules of the accepted values of `Host` and `Origin`. */
export const HOSTS_AND_ORIGINS = {
  allowedHosts: HOSTS,
  allowedOrigins: list(
    "a list of origins",
    rule('an origin without a path, such as "https://app.example.com"', isOrigin),
  ),
};

/** The options of everything that serves HTTP. */
const COMMON_SERVING = {
  ...HOSTS_AND_ORIGINS,
  path: rule('a path such as "/mcp"', PATH.accepts),
  trustedProxies: STRINGS,
  addressesAsHost: BOOLEAN,
  anyHost: BOOLEAN,
  requestTimers: BOOLEAN,
};

/** Options that only some of the functions that serve HTTP have. */
const SPECIFIC_SERVING = { address: CALLBACK, sse: BOOLEAN, host: STRING, port: SIZE };

/**
 * Creates the rule of the options of a function that serves HTTP.
 *
 * @param own the options that only some of these functions have
 * @example
 * createServingRule("address") // for `createHttpHandler`
 */
export function createServingRule(...own: (keyof typeof SPECIFIC_SERVING)[]): OptionRule {
  const members = Object.fromEntries(own.map((name) => [name, SPECIFIC_SERVING[name]]));
  return object("an object with options", { ...COMMON_SERVING, ...members });
}

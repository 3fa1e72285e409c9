/**
 * The values of `Host` and `Origin` headers that a configuration may name. Any other text would never equal a header,
 * so it would have no effect.
 * @module
 */
import { parseUrl } from "../../protocol/parse-url.js";

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Matches origins of pages with another scheme, such as `vscode-webview://id`, and the origin of pages without one. */
const OTHER_ORIGIN = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/[^\s/?#*@]*$|^null$/i;

/** Returns whether a `Host` header can have this value: a name or an address, with or without a port. */
export function isHost(value: unknown): boolean {
  return typeof value === "string" && HOST.test(value);
}

/** Returns whether an `Origin` header can have this value: a scheme and a host, with a port unless it is the default. */
export function isOrigin(value: unknown): boolean {
  if (typeof value !== "string" || value.includes("*")) return false;
  return OTHER_ORIGIN.test(value) || parseUrl(value)?.origin === value.toLowerCase();
}

/** Returns whether an address, as an option or in a header, is one that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(address);
}

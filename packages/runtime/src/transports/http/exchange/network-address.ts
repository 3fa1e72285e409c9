import { isIP, isIPv4 } from "node:net";

/** An address in brackets or an IPv4 address, with an optional port, which RFC 7239 lets proxies obfuscate. */
const WITH_PORT = /^(?:\[([^[\]]*)\]|([\d.]+))(?::[\w.-]+)?$/;

/** The prefix of an IPv4 address in IPv6, as sockets that accept both report it. */
const MAPPED_PREFIX = "::ffff:";

/** An IPv4 address in IPv6, in the notation of the URL standard. */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * Returns an IP address in its canonical form: without port or zone, IPv4 in IPv6 as IPv4, and IPv6 in the notation of
 * RFC 5952. Returns undefined for other text.
 *
 * @example
 * toAddress("[2001:DB8::01]:4711") // "2001:db8::1"
 * toAddress("::ffff:192.0.2.1") // "192.0.2.1"
 */
export function toAddress(text: string | undefined): string | undefined {
  if (text === undefined || isIPv4(text)) return text;
  // Such a socket reports most clients this way. Parsing a URL would take longer than the rest of this function.
  if (text.startsWith(MAPPED_PREFIX) && isIPv4(text.slice(MAPPED_PREFIX.length)))
    return text.slice(MAPPED_PREFIX.length);
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const [address = ""] = (bracketed ?? plain ?? text).split("%");
  const family = isIP(address);
  if (family !== 6) return family === 4 && bracketed === undefined ? address : undefined;
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(written) ?? [];
  if (high === undefined || low === undefined) return written;
  return [high, low].flatMap((hex) => [parseInt(hex, 16) >> 8, parseInt(hex, 16) & 255]).join(".");
}

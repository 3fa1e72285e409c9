import { isIP, isIPv4 } from "node:net";

/** An address in brackets, or one of IPv4, and what may follow it: a port, which RFC 7239 lets proxies hide. */
const WITH_PORT = /^(?:\[([^[\]]*)\]|([\d.]+))(?::[\w.-]+)?$/;

/** IPv4 in IPv6, as the URL standard writes it. */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * An IP address in the one form that it has everywhere: without a port or a zone, IPv4 in IPv6 as IPv4, and IPv6 as
 * RFC 5952 writes it. Undefined for what is none.
 *
 * @example
 * toAddress("[2001:DB8::01]:4711") // "2001:db8::1"
 * toAddress("::ffff:192.0.2.1") // "192.0.2.1"
 */
export function toAddress(text: string | undefined): string | undefined {
  if (text === undefined || isIPv4(text)) return text;
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const [address = ""] = (bracketed ?? plain ?? text).split("%");
  const family = isIP(address);
  if (family !== 6) return family === 4 && bracketed === undefined ? address : undefined;
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(written) ?? [];
  if (high === undefined || low === undefined) return written;
  return [high, low].flatMap((hex) => [parseInt(hex, 16) >> 8, parseInt(hex, 16) & 255]).join(".");
}

/**
 * The accepted `Host` and `Origin` headers. A page in a browser can send requests from its user's machine, and make
 * them look local by DNS rebinding. Each of the two headers reveals such a request, so an unexpected value in either is
 * a reason to reject it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#security-warning
 * @module
 */
import { isIP } from "node:net";
import { isLoopback } from "../../data/options/host-and-origin-values.js";
import type { Server } from "../../server.js";

/** The clients that may connect in addition to programs and pages of this machine. */
export interface AccessOptions {
  /** Values of `Host` to accept in addition to names of this machine. Without a port, a value matches any port. */
  allowedHosts?: readonly string[] | undefined;
  /** Values of `Origin` to accept in addition to pages of this machine. */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Whether to accept any IP address as `Host`, for servers that listen on other interfaces. DNS rebinding needs a
   * name, so no page can send an address.
   */
  addressesAsHost?: boolean | undefined;
  /** Whether to accept any `Host`, for platforms that forward requests only for configured names. */
  anyHost?: boolean | undefined;
  /** Proxies to trust in addition to the configured ones. */
  trustedProxies?: readonly string[] | undefined;
}

/** Returns the reason to reject a request with these headers, if there is one. */
export type HostAndOriginCheck = (host: string | undefined, origin: string | undefined) => string | undefined;

/** Creates the check for the values that the configuration and the options of the transport accept. */
export function createHostAndOriginCheck(
  { http: configured, auth }: Pick<Server, "http" | "auth">,
  options: AccessOptions,
): HostAndOriginCheck {
  const mergeValues = (name: "allowedHosts" | "allowedOrigins"): Set<string> =>
    new Set([...(configured[name] ?? []), ...(options[name] ?? [])].map((value) => value.toLowerCase()));
  const hosts = new Set([...mergeValues("allowedHosts"), ...(auth?.hosts ?? [])]);
  const origins = mergeValues("allowedOrigins");

  const isHostAllowed = (host: string): boolean => {
    const name = host.replace(/:\d*$/, "");
    if (options.anyHost === true) return true;
    if (isLoopback(name) || hosts.has(host) || hosts.has(name)) return true;
    return options.addressesAsHost === true && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  };

  const isOriginAllowed = (origin: string): boolean => {
    if (origins.has(origin)) return true;
    const [, name] = /^https?:\/\/([^/]*)$/.exec(origin.replace(/:\d*$/, "")) ?? [];
    return name !== undefined && isLoopback(name);
  };

  const describeRejection = (name: string, value: string): string =>
    `The ${name} "${value.slice(0, 128)}" is not allowed. The server's owner can add it to allowed${name}s.`;

  return (host, origin) => {
    if (host === undefined) return "The request has no Host header.";
    if (!isHostAllowed(host.toLowerCase())) return describeRejection("Host", host);
    if (origin !== undefined && !isOriginAllowed(origin.toLowerCase()))
      return describeRejection("Origin", origin);
    return undefined;
  };
}

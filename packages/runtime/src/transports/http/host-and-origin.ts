/**
 * Which `Host` and `Origin` headers are accepted. A page in a browser can make its user's machine send requests, and by rebinding DNS can
 * make them look local; `Host` and `Origin` each show it, so each alone is enough to refuse.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#security-warning
 * @module
 */
import { isIP } from "node:net";
import type { Server } from "../../server.js";

/** Who may connect besides programs and pages of this machine. */
export interface AccessOptions {
  /** Values of `Host` to accept besides names of this machine; with a port only where one is given. */
  allowedHosts?: readonly string[] | undefined;
  /** Values of `Origin` to accept besides pages of this machine. */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Accept any IP address as `Host`: for servers that listen beyond this machine. No page can make a browser
   * name an address while it believes to talk to a foreign name.
   */
  addressesAsHost?: boolean;
  /** Accept any `Host`: for platforms that hand on no requests but those for names they were told of. */
  anyHost?: boolean;
  /** Proxies to trust besides those that the server's configuration names. */
  trustedProxies?: readonly string[] | undefined;
}

/** The reason to refuse a request with these headers, if there is one. */
export type HostAndOriginCheck = (host: string | undefined, origin: string | undefined) => string | undefined;

const LOOPBACK: ReadonlySet<string | undefined> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Accepts what either the server's configuration or the options of its transport name. */
export function createHostAndOriginCheck(
  { http: configured, auth }: Pick<Server, "http" | "auth">,
  options: AccessOptions,
): HostAndOriginCheck {
  const listed = (name: "allowedHosts" | "allowedOrigins"): Set<string> =>
    new Set([...(configured[name] ?? []), ...(options[name] ?? [])].map((value) => value.toLowerCase()));
  const hosts = new Set([...listed("allowedHosts"), ...(auth?.hosts ?? [])]);
  const origins = listed("allowedOrigins");

  const isHostAllowed = (host: string): boolean => {
    const name = host.replace(/:\d*$/, "");
    if (options.anyHost === true) return true;
    if (LOOPBACK.has(name) || hosts.has(host) || hosts.has(name)) return true;
    return options.addressesAsHost === true && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  };

  const isOriginAllowed = (origin: string): boolean => {
    if (origins.has(origin)) return true;
    const [, name] = /^https?:\/\/([^/]*)$/.exec(origin.replace(/:\d*$/, "")) ?? [];
    return LOOPBACK.has(name);
  };

  const refusal = (name: string, value: string): string =>
    `The ${name} "${value.slice(0, 128)}" is not allowed. The server's owner can add it to allowed${name}s.`;

  return (host, origin) => {
    if (host === undefined) return "The request has no Host header.";
    if (!isHostAllowed(host.toLowerCase())) return refusal("Host", host);
    if (origin !== undefined && !isOriginAllowed(origin.toLowerCase())) return refusal("Origin", origin);
    return undefined;
  };
}

/** True for an address that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.has(address) || address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}

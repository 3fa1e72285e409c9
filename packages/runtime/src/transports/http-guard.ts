/**
 * Who may call at all. A page in a browser can make its user's machine send requests, and by rebinding DNS can
 * make them look local; `Host` and `Origin` each show it, so each alone is enough to refuse.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#security-warning
 * @module
 */
import { isIP } from "node:net";

export interface GuardOptions {
  /** Values of `Host` to accept besides names of this machine; with a port only where one is given. */
  allowedHosts?: readonly string[];
  /** Values of `Origin` to accept besides pages of this machine. */
  allowedOrigins?: readonly string[];
  /**
   * Accept any IP address as `Host`: for servers that listen beyond this machine. No page can make a browser
   * name an address while it believes to talk to a foreign name.
   */
  addressesAsHost?: boolean;
}

export interface Guard {
  /** The reason to refuse, or `undefined`. */
  refuses(host: string | undefined, origin: string | undefined): string | undefined;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function createGuard(options: GuardOptions = {}): Guard {
  const hosts = new Set(options.allowedHosts?.map((host) => host.toLowerCase()));
  const origins = new Set(options.allowedOrigins?.map((origin) => origin.toLowerCase()));
  const anyAddress = options.addressesAsHost === true;

  const isHostAllowed = (host: string): boolean => {
    const name = hostName(host);
    if (LOOPBACK.has(name) || hosts.has(host) || hosts.has(name)) return true;
    return anyAddress && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  };

  const isOriginAllowed = (origin: string): boolean => {
    if (origins.has(origin)) return true;
    if (!URL.canParse(origin)) return false;
    const { protocol, hostname } = new URL(origin);
    return (protocol === "http:" || protocol === "https:") && LOOPBACK.has(hostname);
  };

  return {
    refuses: (host, origin) => {
      if (host === undefined) return "The request has no Host header.";
      if (!isHostAllowed(host.toLowerCase())) {
        return `The host "${host.slice(0, 128)}" is not allowed. Its owner can add it to the server's allowedHosts.`;
      }
      if (origin !== undefined && !isOriginAllowed(origin.toLowerCase())) {
        return `The origin "${origin.slice(0, 128)}" is not allowed. The server's owner can add it to allowedOrigins.`;
      }
      return undefined;
    },
  };
}

/** A host without its port. */
function hostName(host: string): string {
  if (host.startsWith("[")) return host.slice(0, host.indexOf("]") + 1);
  const colon = host.indexOf(":");
  return colon < 0 ? host : host.slice(0, colon);
}

/** True for an address that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return (
    address === "localhost" ||
    address === "::1" ||
    address === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(address)
  );
}

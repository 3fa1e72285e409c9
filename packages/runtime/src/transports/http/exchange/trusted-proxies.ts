/**
 * What proxies in front of the server say about a request. Whoever sends a request can write these headers, so they are
 * read only where a proxy that is configured has sent it, and only up to the first hop that is not one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7239
 * @module
 */
// As a whole, since not every platform that serves `fetch` has all of it.
import * as net from "node:net";
import type { LogSink } from "../../../api/log.js";
import type { HeaderReader } from "../../../protocol/headers.js";
import { toAddress } from "./network-address.js";

/**
 * The proxies in front of the server, as addresses, as ranges such as `"10.0.0.0/8"`, or as `"loopback"` (this machine)
 * and `"private"` (every machine of a private network). Each must add the address of whoever sent it a request to
 * `X-Forwarded-For`, as all common ones do, or to `Forwarded` where `header` says so; the other header is not read.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7239
 */
export type TrustedProxies =
  | readonly string[]
  | { readonly addresses: readonly string[]; readonly header: "x-forwarded-for" | "forwarded" };

/** Reads what trusted proxies say. `peer` is the address at the far end of the connection. */
export interface ProxyReader {
  /** The address of the nearest hop that is no trusted proxy. */
  address(peer: string | undefined, header: HeaderReader): string | undefined;
  /** How the proxy nearest to the server was reached; undefined where it does not say. */
  scheme(peer: string | undefined, header: HeaderReader): "http" | "https" | undefined;
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"],
};

const PAIR = /^\s*(\w+)=(?:"([^"\\]*)"|([^\s"]*))\s*$/;

/**
 * @param flags addresses besides those that are configured
 * @returns undefined where no proxy is trusted
 * @throws TypeError for a setting that names no address, or everybody's
 */
export function createProxyReader(
  configured: TrustedProxies = [],
  flags: readonly string[] = [],
): ProxyReader | undefined {
  const { addresses, header: name = "x-forwarded-for" } = isList(configured)
    ? { addresses: configured }
    : (Object(configured) as Partial<Exclude<TrustedProxies, readonly string[]>>);
  if (!isList(addresses)) {
    throw new TypeError(
      `trustedProxies must list the addresses of proxies, such as ["loopback", "10.0.0.0/8"] (got ${JSON.stringify(configured)})`,
    );
  }
  if (name !== "x-forwarded-for" && name !== "forwarded") {
    throw new TypeError(
      `trustedProxies.header must be "x-forwarded-for" or "forwarded" (got ${JSON.stringify(name)})`,
    );
  }
  const all = [...addresses, ...flags];
  if (all.length === 0) return undefined;
  const trusts = createTest(all);
  /** What proxies have added, the nearest one's last. */
  const hops = (header: HeaderReader): string[] => header(name)?.split(",") ?? [];
  const source = name === "forwarded" ? (hop: string) => parameter(hop, "for") : (hop: string) => hop.trim();

  return {
    address: (peer, header) => {
      let nearest = toAddress(peer);
      if (nearest === undefined || !trusts(nearest)) return nearest;
      for (const hop of hops(header).toReversed()) {
        const address = toAddress(source(hop));
        // A trusted proxy that does not say where a request is from is all that is known of it.
        if (address === undefined) break;
        nearest = address;
        if (!trusts(address)) break;
      }
      return nearest;
    },
    scheme: (peer, header) => {
      const address = toAddress(peer);
      if (address === undefined || !trusts(address)) return undefined;
      const said =
        name === "forwarded"
          ? parameter(hops(header).at(-1) ?? "", "proto")
          : header("x-forwarded-proto")?.split(",").at(-1)?.trim();
      const scheme = said?.toLowerCase();
      return scheme === "https" || scheme === "http" ? scheme : undefined;
    },
  };
}

const NO_PROXY_TRUSTED =
  "a request came with X-Forwarded-For, and no proxy is trusted. If there is one, all callers behind it have its address, " +
  "and share its limits: name it in http.trustedProxies or by --trust-proxy. An empty list says that there is none.";

/** Says once what looks forgotten: that requests come by a proxy, and nothing is said of any. */
export function createProxyNotice(isConfigured: boolean, log: LogSink): (header: HeaderReader) => void {
  let isOver = isConfigured;
  return (header) => {
    if (isOver || header("x-forwarded-for") === undefined) return;
    isOver = true;
    log({ level: "warn", event: "warning", msg: NO_PROXY_TRUSTED });
  };
}

function isList(given: unknown): given is readonly string[] {
  return Array.isArray(given);
}

/** Tells the addresses that are in a list. */
function createTest(list: readonly string[]): (address: string) => boolean {
  const ranges = new net.BlockList();
  for (const entry of list.flatMap((each) => (Object.hasOwn(NAMED, each) ? (NAMED[each] ?? []) : [each]))) {
    const [, address = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(String(entry)) ?? [];
    const family = net.isIP(address);
    const most = family === 4 ? 32 : 128;
    if (family === 0 || Number(bits ?? most) > most) {
      throw new TypeError(
        `trustedProxies: ${JSON.stringify(entry)} is no IP address, no range such as "10.0.0.0/8", and neither "loopback" nor "private"`,
      );
    }
    if (Number(bits ?? most) === 0) {
      throw new TypeError(
        `trustedProxies: ${JSON.stringify(entry)} trusts everybody, and then everybody chooses the address they have`,
      );
    }
    ranges.addSubnet(address, Number(bits ?? most), family === 4 ? "ipv4" : "ipv6");
  }
  return (address) => ranges.check(address, net.isIPv6(address) ? "ipv6" : "ipv4");
}

/**
 * What one element of a `Forwarded` header says. Elements are cut at every comma, since no proxy's own element has one:
 * a quotation mark that a client has left open cannot swallow what proxies have added behind it.
 */
function parameter(element: string, wanted: string): string | undefined {
  for (const pair of element.split(";")) {
    const [, name, quoted, plain] = PAIR.exec(pair) ?? [];
    if (name?.toLowerCase() === wanted) return quoted ?? plain;
  }
  return undefined;
}

/**
 * The headers in which proxies describe a request. Any client can write these headers, so they are read only if a
 * trusted proxy sent the request, and only up to the first hop that is not trusted.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7239
 * @module
 */
// Imported as a namespace, since some platforms that serve `fetch` lack parts of it.
import * as net from "node:net";
import type { TrustedProxies } from "../../../api/http-config.js";
import type { LogSink } from "../../../api/log.js";
import type { HeaderReader } from "../../../protocol/headers.js";
import { toAddress } from "./network-address.js";

/** Reads the headers of trusted proxies. `peer` is the remote address of the connection. */
export interface ProxyReader {
  /** Returns the address of the nearest hop that is not a trusted proxy. */
  readAddress(peer: string | undefined, header: HeaderReader): string | undefined;
  /** Returns the scheme with which the nearest proxy was reached; undefined if it does not report that. */
  readScheme(peer: string | undefined, header: HeaderReader): "http" | "https" | undefined;
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"],
};

/** Matches a parameter of an element of `Forwarded`, with the semicolons before it. */
const PAIR = /[; \t]*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))[ \t]*(?=;|$)/gy;

/**
 * Creates the reader of the headers of trusted proxies.
 *
 * @param flags addresses in addition to the configured ones
 * @returns undefined if no proxy is trusted
 * @throws TypeError for a setting that is not an address, or matches every address
 */
export function createProxyReader(
  configured: TrustedProxies = [],
  flags: readonly string[] = [],
): ProxyReader | undefined {
  const { addresses: all, name } = readSettings(configured, flags);
  if (all.length === 0) return undefined;
  const trusts = createAddressTest(all);
  /** Returns the hops that proxies have added, starting with the nearest proxy. */
  const split = name === "forwarded" ? splitForwarded : (text: string) => text.split(",").toReversed();
  const listHops = (header: HeaderReader): Iterable<string> => split(header(name) ?? "");
  const source =
    name === "forwarded" ? (hop: string) => readParameter(hop, "for") : (hop: string) => hop.trim();

  return {
    readAddress: (peer, header) => {
      let nearest = toAddress(peer);
      if (nearest === undefined || !trusts(nearest)) return nearest;
      for (const hop of listHops(header)) {
        const address = toAddress(source(hop));
        // The proxy does not report the origin of the request, so only its own address is known.
        if (address === undefined) break;
        nearest = address;
        if (!trusts(address)) break;
      }
      return nearest;
    },
    readScheme: (peer, header) => {
      const address = toAddress(peer);
      if (address === undefined || !trusts(address)) return undefined;
      const [nearest = ""] = listHops(header);
      const reported =
        name === "forwarded"
          ? readParameter(nearest, "proto")
          : header("x-forwarded-proto")?.split(",").at(-1)?.trim();
      const scheme = reported?.toLowerCase();
      return scheme === "https" || scheme === "http" ? scheme : undefined;
    },
  };
}

/**
 * Returns a function that logs once that requests come through a proxy that is not trusted. If some proxies are trusted,
 * only others in the same network count, because clients from elsewhere may write the header themselves.
 */
export function createProxyNotice(
  configured: TrustedProxies | undefined,
  flags: readonly string[] | undefined,
  log: LogSink,
): (request: { readonly header: HeaderReader; readonly peerAddress: string | undefined }) => void {
  const { addresses, name } = readSettings(configured, flags);
  const findUntrusted = addresses.length === 0 ? undefined : createUntrustedTest(addresses);
  let isDone = findUntrusted === undefined && (configured ?? flags) !== undefined;
  return ({ header, peerAddress }) => {
    if (isDone || header(name) === undefined) return;
    const untrusted = findUntrusted?.(peerAddress);
    if (findUntrusted !== undefined && untrusted === undefined) return;
    isDone = true;
    const [problem, edit = ""] =
      untrusted === undefined
        ? [
            "a request has an X-Forwarded-For header, but no proxy is trusted",
            " If there is none, set an empty list.",
          ]
        : [
            `a request from ${untrusted} has a header that proxies write, but ${untrusted} is not a trusted proxy`,
          ];
    const msg = `${problem}. All callers behind an untrusted proxy share its address and limits. List the proxy in http.trustedProxies or with --trust-proxy.${edit}`;
    log({ level: "warn", event: "warning", msg });
  };
}

/** Returns a function that returns the address of a peer in the same network that is not in the list. */
function createUntrustedTest(addresses: readonly string[]): (peer: string | undefined) => string | undefined {
  const trusts = createAddressTest(addresses);
  const isNear = createAddressTest(Object.keys(NAMED));
  /** The last peer that is trusted. Most requests come from it. */
  let trusted: string | undefined;
  return (peer) => {
    if (peer === undefined || peer === trusted) return undefined;
    const address = toAddress(peer);
    if (address === undefined) return undefined;
    if (trusts(address)) trusted = peer;
    else if (isNear(address)) return address;
    return undefined;
  };
}

/** Returns the addresses of trusted proxies, and the header that they write. */
function readSettings(
  configured: TrustedProxies = [],
  flags: readonly string[] = [],
): { addresses: readonly string[]; name: "x-forwarded-for" | "forwarded" } {
  const { addresses, header: name = "x-forwarded-for" } = isList(configured)
    ? { addresses: configured }
    : configured;
  return { addresses: [...addresses, ...flags], name };
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

/** Returns a function that tests whether an address is in a list of addresses and networks. */
function createAddressTest(list: readonly string[]): (address: string) => boolean {
  const ranges = new net.BlockList();
  for (const entry of list.flatMap((each) => (Object.hasOwn(NAMED, each) ? (NAMED[each] ?? []) : [each]))) {
    const [, address = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(String(entry)) ?? [];
    const family = net.isIP(address);
    const maxBits = family === 4 ? 32 : 128;
    if (family === 0 || Number(bits ?? maxBits) > maxBits) {
      throw new TypeError(
        `trustedProxies: ${JSON.stringify(entry)} is not an IP address, a range such as "10.0.0.0/8", "loopback", or "private"`,
      );
    }
    ranges.addSubnet(address, Number(bits ?? maxBits), family === 4 ? "ipv4" : "ipv6");
  }
  const trusts = (address: string): boolean => ranges.check(address, net.isIPv6(address) ? "ipv6" : "ipv4");
  if (PUBLIC_SAMPLES.some((addresses) => addresses.every(trusts))) {
    throw new TypeError(
      `trustedProxies: ${JSON.stringify(list)} matches every public address, so any client could forge its own; list only your proxies`,
    );
  }
  return trusts;
}

/** Public addresses in all parts of the Internet, for IPv4 and IPv6. */
const PUBLIC_SAMPLES: readonly (readonly string[])[] = [
  Array.from({ length: 14 }, (_, index) => `${index * 16 + 1}.1.1.1`),
  ["2001:200::1", "2400::1", "2600::1", "2800::1", "2a00::1", "2c00::1"],
];

/**
 * Splits a `Forwarded` header into its elements, beginning with the last, which the nearest proxy has added. Therefore,
 * an open quotation mark from a client cannot swallow what proxies append, and a comma in a host that a client chose
 * does not end an element.
 */
function* splitForwarded(text: string): Generator<string, void> {
  let [end, isQuoted] = [text.length, false];
  for (let index = text.length - 1; index >= 0; index--) {
    if (text[index] === '"') {
      let start = index;
      while (text[start - 1] === "\\") start--;
      if ((index - start) % 2 === 0) isQuoted = !isQuoted;
    } else if (text[index] === "," && !isQuoted) {
      yield text.slice(index + 1, end);
      end = index;
    }
  }
  yield text.slice(0, end);
}

/** Returns a parameter of one element of a `Forwarded` header; undefined if the element is malformed. */
function readParameter(element: string, wanted: string): string | undefined {
  const text = element.trim();
  const pairs = [...text.matchAll(PAIR)];
  const length = pairs.reduce((sum, [pair]) => sum + pair.length, 0);
  if (/[^; \t]/.test(text.slice(length))) return undefined;
  const [, , quoted, plain] = pairs.find(([, name]) => name?.toLowerCase() === wanted) ?? [];
  return quoted ?? plain;
}

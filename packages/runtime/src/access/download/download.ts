/**
 * Downloads from URLs that clients choose, without reaching the server's own networks: each address is checked after it
 * is resolved, and the connection is made to that address.
 *
 * @module
 */
import type { IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.js";
import { parseUrl } from "../../protocol/parse-url.js";

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

/** The number of bytes that the downloads of one call share. */
export interface DownloadBudget {
  readonly maxBytes: number;
  /** The number of bytes that may still be downloaded. */
  remainingBytes: number;
}

/** The limits of a download. */
export interface DownloadLimits {
  /** Maximum number of bytes of the body. */
  readonly maxBytes: number;
  readonly budget: DownloadBudget;
  /** Maximum duration, with all redirects, in milliseconds. */
  readonly timeoutMs: number;
  /** Hosts that may have any address, and may use `http:`. A port is compared only if the value has one. */
  readonly allowedHosts: readonly string[];
  /** Ends the download. */
  readonly signal: AbortSignal;
}

/** A downloaded file. */
export interface DownloadedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The header `Content-Type`, if there is one. */
  readonly type: string | undefined;
}

/** A download that failed. The message completes the sentence "the download failed: …", and may be shown to clients. */
export class DownloadError extends Error {
  override name = "DownloadError";
}

/** The address of a host. */
interface Address {
  readonly address: string;
  readonly family: number;
}

/**
 * Downloads a URL.
 *
 * @throws DownloadError if the URL is not allowed, or the download fails, takes too long, or is too large
 * @throws the reason of `signal` if it is aborted
 * @example
 * const { bytes } = await download("https://files.example.com/a.pdf", limits);
 */
export async function download(url: string, limits: DownloadLimits): Promise<DownloadedFile> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = AbortSignal.any([limits.signal, timeout]);
  try {
    return await follow(url, limits, signal);
  } catch (error) {
    limits.signal.throwIfAborted();
    if (timeout.aborted) throw new DownloadError(`it took longer than ${limits.timeoutMs} ms`);
    if (error instanceof DownloadError) throw error;
    throw new DownloadError("the connection failed", { cause: error });
  }
}

async function follow(first: string, limits: DownloadLimits, signal: AbortSignal): Promise<DownloadedFile> {
  let url = checkUrl(first, limits);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request(url, await resolve(url, limits, signal), signal);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode) || location === undefined) return readBody(response, limits);
    response.destroy();
    const next = parseUrl(location, url.href);
    if (next === undefined) throw new DownloadError("it was redirected to an invalid URL");
    url = checkUrl(next.href, limits);
  }
  throw new DownloadError(`it was redirected more than ${MAX_REDIRECTS} times`);
}

/**
 * Parses a URL.
 *
 * @throws DownloadError for a scheme other than `https:`, and for credentials
 */
function checkUrl(text: string, { allowedHosts }: DownloadLimits): URL {
  const url = parseUrl(text);
  if (url === undefined) throw new DownloadError("the URL is invalid");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isAllowed(url, allowedHosts)))
    throw new DownloadError("the URL must begin with https:");
  if (url.username !== "" || url.password !== "")
    throw new DownloadError("the URL must not contain credentials");
  return url;
}

function isAllowed({ hostname, port, protocol }: URL, allowedHosts: readonly string[]): boolean {
  // A URL omits the default port of its scheme, which an allowed host may have.
  const host = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  return allowedHosts.some((allowed) => [host, hostname].includes(allowed.toLowerCase()));
}

/**
 * Returns the addresses of a host.
 *
 * @throws DownloadError unless all of them are public, or the host is allowed. The message is the same for an unknown name,
 *   so that clients do not learn which names the network has
 */
async function resolve(url: URL, { allowedHosts }: DownloadLimits, signal: AbortSignal): Promise<Address[]> {
  const { isIP } = process.getBuiltinModule("node:net");
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  const family = isIP(host);
  const addresses =
    family > 0
      ? [{ address: host, family }]
      : await withSignal(
          lookup(host, { all: true }).catch(() => []),
          signal,
        );
  const isReachable =
    isAllowed(url, allowedHosts) || addresses.every(({ address }) => isPublicAddress(address));
  if (addresses.length > 0 && isReachable) return addresses;
  throw new DownloadError("the host is not on the public internet");
}

/** Waits for a promise until a signal is aborted: a lookup cannot be cancelled. */
function withSignal<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Sends a request to one of the addresses that were checked. A second lookup could return a different address. */
function request(url: URL, addresses: readonly Address[], signal: AbortSignal): Promise<IncomingMessage> {
  const { request: send } = process.getBuiltinModule(url.protocol === "https:" ? "node:https" : "node:http");
  const [first = { address: "", family: 4 }] = addresses;
  const lookup: LookupFunction = (_host, { all }, callback) =>
    all === true ? callback(null, [...addresses]) : callback(null, first.address, first.family);
  const options: RequestOptions = {
    lookup,
    signal,
    agent: false,
    headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "Tenon" },
  };
  return new Promise((resolve, reject) => {
    send(url, options, resolve).on("error", reject).end();
  });
}

async function readBody(
  response: IncomingMessage,
  { maxBytes, budget }: DownloadLimits,
): Promise<DownloadedFile> {
  const { statusCode = 0, headers } = response;
  const checkSize = (size: number, remainingBytes: number): void => {
    if (size > maxBytes) throw new DownloadError(`the file has more than ${maxBytes} bytes`);
    if (remainingBytes < 0)
      throw new DownloadError(
        `the downloaded files of a call may be at most ${budget.maxBytes} bytes in total`,
      );
  };
  try {
    if (statusCode !== 200) throw new DownloadError(`the host responded with status ${statusCode}`);
    const announced = Number(headers["content-length"] ?? 0);
    checkSize(announced, budget.remainingBytes - announced);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      budget.remainingBytes -= chunk.length;
      checkSize(size, budget.remainingBytes);
      chunks.push(chunk);
    }
    return { bytes: Uint8Array.from(Buffer.concat(chunks)), type: headers["content-type"] };
  } finally {
    response.destroy();
  }
}

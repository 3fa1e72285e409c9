/** The protection of HTTP servers that only this user's programs may reach. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The address that only programs on this machine reach. */
export const LOCAL_HOST = "127.0.0.1";

/** Returns whether the header `Host` names this server, and `Origin`, if present, names its page. DNS rebinding cannot forge these headers. */
export function isOwnRequest({ headers: { host = "", origin } }: IncomingMessage, port: number): boolean {
  const isHost = host === `${LOCAL_HOST}:${port}` || host === `localhost:${port}`;
  return isHost && (origin === undefined || origin === `http://${host}`);
}

/**
 * Returns the path and the parameters of a request. The target is not parsed as a URL, because parsing fails for `//`, which any
 * web page can request.
 */
export function readTarget({ url = "" }: IncomingMessage): { path: string; params: URLSearchParams } {
  const [path = ""] = url.split("?", 1);
  return { path, params: new URLSearchParams(url.slice(path.length)) };
}

/** Compares tokens in a time that does not depend on their content. */
export function isSameToken(given: string, token: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Reads the body, or returns undefined if it is larger than `maxBytes`. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

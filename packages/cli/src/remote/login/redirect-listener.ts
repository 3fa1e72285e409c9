import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const HOST = "127.0.0.1";
const PATH = "/callback";

/** Where a browser comes back to after a login: a port of this machine, open for as long as a command runs. */
export interface RedirectListener {
  readonly port: number;
  readonly url: string;
  /**
   * Waits until the browser comes back. Requests without the state are refused, and waited past: anybody on this machine,
   * and any page in its browser, can send one.
   *
   * @returns what the issuer sent along: a code, or an error
   */
  returned(state: string, signal?: AbortSignal): Promise<URLSearchParams>;
  /**
   * Takes the address that a browser has ended at on another machine, where nobody listens.
   *
   * @returns false where it is no answer to the login that is waited for
   */
  accept(address: string): boolean;
  close(): void;
}

/**
 * @param port as before; where that is taken, any other
 */
export async function listenForRedirect(port = 0): Promise<RedirectListener> {
  let take: ((params: URLSearchParams) => boolean) | undefined;
  const http = createServer((request, response) => {
    const params = paramsOf(request);
    const isTaken = params !== undefined && take?.(params) === true;
    if (isTaken) answer(response, 200, params.has("code") ? "You are logged in." : "You are not logged in.");
    else answer(response, params === undefined ? 404 : 400, "Nobody waits for this here.");
  });
  const listening = await new Promise<boolean>((resolve) => {
    http.once("error", () => resolve(false)).listen(port, HOST, () => resolve(true));
  });
  if (!listening) {
    if (port === 0) throw new Error(`There is no free port at ${HOST}.`);
    return listenForRedirect();
  }
  http.unref();
  const { port: open } = http.address() as AddressInfo;
  return {
    port: open,
    url: `http://${HOST}:${open}${PATH}`,
    returned: (state, signal) =>
      new Promise((resolve, reject) => {
        http.ref();
        const stop = (): void => reject(signal?.reason as Error);
        signal?.addEventListener("abort", stop, { once: true });
        take = (params) => {
          if (!isSame(params.get("state") ?? "", state)) return false;
          take = undefined;
          signal?.removeEventListener("abort", stop);
          http.unref();
          resolve(params);
          return true;
        };
      }),
    accept(address) {
      const base = `http://${HOST}:${open}${PATH}`;
      const text = address.trim().replace(/^["'<]+|["'>]+$/g, "");
      if (!URL.canParse(text, base)) return false;
      // The page of the login itself has the state, too.
      const { pathname, searchParams } = new URL(text, base);
      return pathname === PATH && take?.(searchParams) === true;
    },
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

function paramsOf({ method, url = "", headers }: IncomingMessage): URLSearchParams | undefined {
  // A name that somebody else's DNS leads here is not ours.
  if (method !== "GET" || headers.host?.startsWith(`${HOST}:`) !== true) return undefined;
  const { pathname, searchParams } = new URL(url, `http://${HOST}`);
  return pathname === PATH ? searchParams : undefined;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function answer(response: ServerResponse, status: number, sentence: string): void {
  response
    .writeHead(status, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store",
      Connection: "close",
    })
    .end(`<!doctype html><title>Tenon</title><p>${sentence} You may close this page.</p>\n`);
}

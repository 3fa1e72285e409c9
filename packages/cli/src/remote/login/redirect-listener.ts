import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isSameToken, LOCAL_HOST as HOST, readTarget } from "../../local-http/local-request.js";

const PATH = "/callback";

/** A local port to which the issuer redirects the browser after a login. */
export interface RedirectListener {
  readonly port: number;
  readonly url: string;
  /**
   * Waits for the redirect. Requests without the state are rejected, since any local program or web page can send one.
   *
   * @returns the parameters from the issuer: a code, or an error
   */
  waitForRedirect(state: string, signal?: AbortSignal): Promise<URLSearchParams>;
  /**
   * Accepts the address to which a browser on another machine was redirected.
   *
   * @returns whether the address belongs to the pending login
   */
  accept(address: string): boolean;
  close(): void;
}

/**
 * Starts a listener for the redirect.
 *
 * @param port the preferred port; if it is in use, any other
 */
export async function listenForRedirect(port = 0): Promise<RedirectListener> {
  let acceptParams: ((params: URLSearchParams) => boolean) | undefined;
  const http = createServer((request, response) => {
    const params = readParams(request);
    const isAccepted = params !== undefined && acceptParams?.(params) === true;
    if (isAccepted)
      sendPage(response, 200, params.has("code") ? "You are logged in." : "You are not logged in.");
    else sendPage(response, params === undefined ? 404 : 400, "No login is pending.");
  });
  const isListening = await new Promise<boolean>((resolve) => {
    http.once("error", () => resolve(false)).listen(port, HOST, () => resolve(true));
  });
  if (!isListening) {
    if (port === 0) throw new Error(`No port is free at ${HOST}.`);
    return listenForRedirect();
  }
  http.unref();
  const { port: boundPort } = http.address() as AddressInfo;
  return {
    port: boundPort,
    url: `http://${HOST}:${boundPort}${PATH}`,
    waitForRedirect: (state, signal) =>
      new Promise((resolve, reject) => {
        http.ref();
        const stop = (): void => reject(signal?.reason as Error);
        signal?.addEventListener("abort", stop, { once: true });
        acceptParams = (params) => {
          if (!isSameToken(params.get("state") ?? "", state)) return false;
          acceptParams = undefined;
          signal?.removeEventListener("abort", stop);
          http.unref();
          resolve(params);
          return true;
        };
      }),
    accept(address) {
      const base = `http://${HOST}:${boundPort}${PATH}`;
      const text = address.trim().replace(/^["'<]+|["'>]+$/g, "");
      if (!URL.canParse(text, base)) return false;
      // The address of the login page contains the state too, so the path must match.
      const { pathname, searchParams } = new URL(text, base);
      return pathname === PATH && acceptParams?.(searchParams) === true;
    },
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

function readParams(request: IncomingMessage): URLSearchParams | undefined {
  const { method, headers } = request;
  // Rejects other host names to prevent DNS rebinding.
  if (method !== "GET" || headers.host?.startsWith(`${HOST}:`) !== true) return undefined;
  const { path, params } = readTarget(request);
  return path === PATH ? params : undefined;
}

function sendPage(response: ServerResponse, status: number, sentence: string): void {
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

import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DevObserver } from "../dev/server.js";
import type { PageRequest } from "./page-messages.js";
import { sendPageFile, SECURITY_HEADERS } from "./page-files.js";
import { createPages } from "./pages.js";

/** The local page of a development server. */
export interface Playground {
  /** With the token that lets in: who does not know it sees nothing. */
  readonly url: string;
  readonly observer: DevObserver;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Serves the page on a free port of this machine. What the page says to the MCP server goes to the server's process
 * directly, so it needs no token of the server's own, and acts for any principal.
 *
 * @param root the project folder, absolute
 */
export async function createPlayground(root: string): Promise<Playground> {
  const token = randomBytes(24).toString("base64url");
  const pages = createPages(root);

  const server = createServer((request, reply) => {
    void answer(request, reply).catch((error: unknown) => {
      if (!reply.headersSent) refuse(reply, 500, String(error));
    });
  });

  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    if (!isOwn(request, (server.address() as AddressInfo).port)) {
      refuse(reply, 403, "This page is for this machine alone.");
      return;
    }
    const [, given = "", name, ...rest] = (request.url ?? "/").split("/");
    if (!isSame(given, token) || rest.length > 0) {
      refuse(reply, 404, "Open the address that `tenon dev --open` has printed: it has a token in it.");
      return;
    }
    const route = `${request.method} ${name}`;
    if (name === undefined) reply.writeHead(308, { location: `/${token}/` }).end();
    else if (route === "GET events") pages.open(reply);
    else if (route === "POST requests") await take(request, reply);
    else if (request.method !== "GET" || !sendPageFile(name, reply))
      refuse(reply, 404, "There is nothing here.");
  };

  const take = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    // A form of another site could not say so without asking first.
    if (request.headers["content-type"] !== "application/json") {
      refuse(reply, 415, "Send JSON.");
      return;
    }
    const body = await readBody(request);
    if (body === undefined) {
      refuse(reply, 413, "That is more than 32 MB.");
      return;
    }
    const isKnown = pages.take(JSON.parse(body) as PageRequest);
    reply.writeHead(isKnown ? 204 : 410, SECURITY_HEADERS).end();
  };

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, HOST, resolve);
  });
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/${token}/`,
    observer: pages.observer,
    async close() {
      pages.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether a request was meant for this server, and comes from its page or from no page: rebinding DNS can forge neither. */
function isOwn({ headers: { host = "", origin } }: IncomingMessage, port: number): boolean {
  const isHost = host === `${HOST}:${port}` || host === `localhost:${port}`;
  return isHost && (origin === undefined || origin === `http://${host}`);
}

function isSame(given: string, token: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Nothing where there is too much of it. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refuse(reply: ServerResponse, status: number, problem: string): void {
  reply.writeHead(status, { ...SECURITY_HEADERS, "content-type": "text/plain; charset=utf-8" });
  reply.end(`${problem}\n`);
}

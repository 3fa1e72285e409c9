import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJsonText } from "../compare/json/json-in-text.js";
import { isOwnRequest, isSameToken, LOCAL_HOST as HOST, readBody } from "../local-http/local-request.js";
import type { DevObserver } from "../dev/serving.js";
import type { PageRequest } from "./page-messages.js";
import { sendPageFile, SECURITY_HEADERS } from "./page-files.js";
import { createPages } from "./pages.js";
import { createSandbox } from "./sandbox.js";

/** The local page of a development server. */
export interface Playground {
  /** The address, which contains the token that grants access. */
  readonly url: string;
  readonly observer: DevObserver;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Serves the page on a free port of this machine. Messages from the page go directly to the server's process, so they
 * need no access token of the server and can name any principal.
 *
 * @param root the project folder, absolute
 */
export async function createPlayground(root: string): Promise<Playground> {
  const token = randomBytes(24).toString("base64url");
  const sandbox = await createSandbox();
  const pages = createPages(root, sandbox.origin);

  const server = createServer((request, reply) => {
    void respond(request, reply).catch((error: unknown) => {
      if (!reply.headersSent) reject(reply, 500, String(error));
    });
  });

  const respond = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    if (!isOwnRequest(request, (server.address() as AddressInfo).port)) {
      reject(
        reply,
        403,
        "Only this machine can open this page, at the address that `tenon dev --open` printed.",
      );
      return;
    }
    const [, given = "", name, ...rest] = (request.url ?? "/").split("/");
    if (!isSameToken(given, token) || rest.length > 0) {
      reject(
        reply,
        404,
        "The token in the address is missing or wrong. Open the address that `tenon dev --open` printed.",
      );
      return;
    }
    const route = `${request.method} ${name}`;
    if (name === undefined) reply.writeHead(308, { location: `/${token}/` }).end();
    else if (route === "GET events") pages.open(reply);
    else if (route === "POST requests") await handleRequest(request, reply);
    else if (request.method !== "GET" || !sendPageFile(name, reply, sandbox.origin))
      reject(reply, 404, "The page does not exist. Open the address that `tenon dev --open` printed.");
  };

  const handleRequest = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    // A form on another site cannot send this content type without a preflight request.
    if (request.headers["content-type"] !== "application/json") {
      reject(reply, 415, "The request is not JSON. Set the content type application/json.");
      return;
    }
    const body = await readBody(request, MAX_BODY_BYTES);
    if (body === undefined) {
      reject(reply, 413, "The request is larger than 32 MiB.");
      return;
    }
    const parsed = parseJsonText(body);
    if (parsed === undefined) {
      reject(reply, 400, "The request is not a JSON object.");
      return;
    }
    const isKnown = pages.handleRequest(parsed as PageRequest);
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
      await Promise.all([closed, sandbox.close()]);
    },
  };
}

function reject(reply: ServerResponse, status: number, problem: string): void {
  reply.writeHead(status, { ...SECURITY_HEADERS, "content-type": "text/plain; charset=utf-8" });
  reply.end(`${problem}\n`);
}

import {
  Agent,
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Failure } from "../../terminal/failure.js";
import { createInFlightCalls, type MessageHead } from "./in-flight-calls.js";
import type { DevProxy } from "./dev-proxy.js";
import { createExchangeObserver, type HttpExchange } from "./http-traffic.js";
import { declareListChanged, getListNotifications } from "./list-changed.js";
import { createProxySessions, type Backend } from "./proxy-sessions.js";
import { createQuestionIds } from "./question-ids.js";
import type { TrafficObserver } from "./traffic.js";

/** A proxy that keeps a port while servers are replaced. */
export interface HttpProxy extends DevProxy<Backend> {
  /** The port in use. */
  readonly port: number;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** Maximum size of a body, regardless of the server's own limit. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Headers that apply to a single connection. */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding"];

/**
 * Creates a proxy that forwards requests unchanged; the server checks them. Requests that arrive before the first server wait for it. Legacy
 * sessions outlive the server that opened them.
 *
 * @param port the port, or 0 for any free one
 * @param traffic receives all messages
 * @throws Failure if the port is in use
 */
export async function createHttpProxy(port: number, traffic?: TrafficObserver): Promise<HttpProxy> {
  let current: Backend | undefined;
  let problem = "No server is running. See the output of `tenon dev` for the errors of the project.";
  let markReady = (): void => undefined;
  /** Resolves when there is a server, or a reason why there is none. */
  let ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const agent = new Agent({ keepAlive: true });
  const observe = traffic && createExchangeObserver(traffic);
  const sessions = createProxySessions(agent);
  const calls = createInFlightCalls();
  const questionIds = createQuestionIds();
  const eventStreams = new Map<ServerResponse, EventStream>();

  const serve = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    let body = await readBody(incoming, MAX_BODY_BYTES);
    if (body === undefined) {
      respondWithError(reply, 413, `The body exceeds ${MAX_BODY_BYTES} bytes.`);
      return;
    }
    const session = getHeader(incoming, "mcp-session-id");
    const message = readMessage(body);
    const answeredQuestion = session === undefined ? undefined : questionIds.findAnsweredQuestion(message);
    const owner = answeredQuestion?.backend ?? calls.findOwner(session, message);
    if (!owner) await ready;
    if (reply.destroyed) return;
    const exchange = observe?.(incoming.headers, body);
    if (answeredQuestion) body = Buffer.from(JSON.stringify(answeredQuestion.message));
    const backend = owner ?? current;
    if (!backend) {
      // Errors contain source code, which pages of other origins must not read.
      if (isLocal(incoming)) respondWithError(reply, 503, problem, body, exchange);
      else
        respondWithError(
          reply,
          403,
          "No server is running. Its errors are visible only on this machine.",
          body,
        );
      return;
    }
    // From here on, the server runs at least until it has finished this request.
    if (incoming.method === "POST") reply.on("close", calls.begin(backend, session, message));
    const backendId =
      session === undefined ? undefined : await sessions.getBackendId(session, backend, incoming.headers);
    const headers: IncomingHttpHeaders = { ...incoming.headers };
    if (backendId !== undefined) headers["mcp-session-id"] = backendId;
    if (backendId !== undefined && backendId !== session) delete headers["last-event-id"];
    for (const name of HOP_BY_HOP) delete headers[name];
    if (body.length > 0 || incoming.method === "POST") headers["content-length"] = String(body.length);

    const { method = "GET", url = "/" } = incoming;
    const outgoing = request({ host: HOST, port: backend.port, method, path: url, headers, agent });
    outgoing.on("response", (backendResponse) => {
      const openedSession = getHeader(backendResponse, "mcp-session-id");
      if (session === undefined && openedSession !== undefined) {
        sessions.add(openedSession, { backend, path: url, body, headers: incoming.headers });
      }
      if (method === "DELETE" && session !== undefined) sessions.remove(session);
      const responseHeaders: OutgoingHttpHeaders = { ...backendResponse.headers };
      for (const name of HOP_BY_HOP) delete responseHeaders[name];
      if (session !== undefined && openedSession !== undefined) responseHeaders["mcp-session-id"] = session;
      exchange?.receiveHeaders(responseHeaders);
      backendResponse.on("error", () => reply.destroy());
      if (isInitialize(body)) {
        forwardInitializeResponse(backendResponse, reply, responseHeaders, exchange).catch(() =>
          reply.destroy(),
        );
        return;
      }
      reply.writeHead(backendResponse.statusCode ?? 502, responseHeaders);
      reply.flushHeaders();
      if (method === "GET" && isEventStream(backendResponse)) {
        eventStreams.set(reply, { session, exchange });
        reply.on("close", () => eventStreams.delete(reply));
        const missed = session === undefined ? [] : sessions.takeMissed(session);
        for (const each of missed) sendNotification(reply, each, exchange);
      }
      const response =
        session !== undefined && isEventStream(backendResponse)
          ? backendResponse.pipe(questionIds.markEvents(backend))
          : backendResponse;
      if (exchange) response.on("data", exchange.receiveBody).on("end", exchange.end);
      response.pipe(reply);
    });
    outgoing.on("error", () => {
      if (reply.destroyed) return;
      if (reply.headersSent) reply.destroy();
      else respondWithError(reply, 502, "The server stopped before it responded.", body, exchange);
    });
    // A client that disconnects cancels its call.
    reply.on("close", () => {
      if (!reply.writableFinished) exchange?.disconnect();
      outgoing.destroy();
    });
    outgoing.end(body);
  };

  const server = createServer((incoming, reply) => {
    serve(incoming, reply).catch(() => {
      if (reply.headersSent) reply.destroy();
      else respondWithError(reply, 502, "The server is unreachable.");
    });
  });
  await listen(server, port);

  return {
    port: (server.address() as AddressInfo).port,
    hasEnded: false,
    swap(next, changes) {
      current = next;
      markReady();
      const methods = getListNotifications(changes);
      for (const [stream, { exchange }] of eventStreams)
        for (const method of methods) sendNotification(stream, method, exchange);
      sessions.addMissed(methods, new Set([...eventStreams.values()].map(({ session }) => session)));
    },
    pause() {
      current = undefined;
      ready = new Promise((resolve) => {
        markReady = resolve;
      });
    },
    waitForCalls: calls.waitForCalls,
    explain(text) {
      problem = text;
      markReady();
      return Promise.resolve();
    },
    drop(backend) {
      if (current === backend) current = undefined;
    },
    async close() {
      markReady();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // Open streams end with their server. Connections that remain after a second are closed.
      const timer = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(timer);
      agent.destroy();
    },
  };
}

/** A stream that a client of a legacy revision has opened for notifications. */
interface EventStream {
  session: string | undefined;
  exchange: HttpExchange | undefined;
}

function sendNotification(stream: ServerResponse, method: string, exchange: HttpExchange | undefined): void {
  const message = { jsonrpc: "2.0", method };
  stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  exchange?.receiveOwnMessage(message);
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === "EADDRINUSE";
      reject(
        new Failure(isInUse ? `Port ${port} is in use.` : `Port ${port} cannot be used: ${error.message}`, {
          hint: "Choose another one with --port, or any free one with --port 0.",
          cause: error,
        }),
      );
    });
    server.listen(port, HOST, () => resolve());
  });
}

function isInitialize(body: Buffer): boolean {
  return readMessage(body).method === "initialize";
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers["content-type"]?.startsWith("text/event-stream") === true;
}

/** Returns the members of a message, or none if the body is something else. */
function readMessage(body: Buffer): MessageHead {
  try {
    return (JSON.parse(body.toString("utf8")) ?? {}) as object;
  } catch {
    return {};
  }
}

/** Forwards the response to `initialize` with the capabilities of a dev server. */
async function forwardInitializeResponse(
  backendResponse: IncomingMessage,
  reply: ServerResponse,
  headers: OutgoingHttpHeaders,
  exchange: HttpExchange | undefined,
): Promise<void> {
  const text = ((await readBody(backendResponse, Infinity)) ?? Buffer.alloc(0)).toString("utf8");
  const changed = text.replaceAll(
    /^(data: ?)?(\{.*\})$/gm,
    (line, field: string | undefined, json: string) => {
      try {
        return `${field ?? ""}${JSON.stringify(declareListChanged(JSON.parse(json) as object))}`;
      } catch {
        return line;
      }
    },
  );
  exchange?.receiveBody(Buffer.from(changed));
  exchange?.end();
  reply.writeHead(backendResponse.statusCode ?? 502, {
    ...headers,
    "content-length": Buffer.byteLength(changed),
  });
  reply.end(changed);
}

/** Reads the body, or returns undefined if it exceeds `limit` bytes. The rest is discarded. */
async function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

/** Returns whether Host and Origin, if present, name this machine. DNS rebinding cannot forge them. */
function isLocal({ headers: { host, origin } }: IncomingMessage): boolean {
  const isLoopback = (name = ""): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d*)?$/i.test(name);
  return isLoopback(host) && (origin === undefined || isLoopback(/^https?:\/\/(.*)$/i.exec(origin)?.[1]));
}

function getHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Responds with an error, with the ID of the request in `body`, if there is one. */
function respondWithError(
  reply: ServerResponse,
  status: number,
  message: string,
  body?: Buffer,
  exchange?: HttpExchange,
): void {
  const { id } = body === undefined ? {} : readMessage(body);
  const responseHeaders = typeof id === "string" || typeof id === "number" ? { id } : {};
  const errorResponse = { jsonrpc: "2.0", ...responseHeaders, error: { code: -32_603, message } };
  exchange?.receiveOwnMessage(errorResponse);
  reply.writeHead(status, { "content-type": "application/json" });
  reply.end(JSON.stringify(errorResponse));
}

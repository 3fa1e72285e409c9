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
import { createCallsUnderWay, type MessageHead } from "./calls-under-way.js";
import type { DevProxy } from "./dev-proxy.js";
import { observeExchange, type HttpExchange } from "./http-traffic.js";
import { declareListChanged, listChanged } from "./list-changed.js";
import { createProxySessions, type Backend } from "./proxy-sessions.js";
import { createQuestionIds } from "./question-ids.js";
import type { Traffic } from "./traffic.js";

/** Keeps a port while the servers behind it come and go. */
export interface HttpProxy extends DevProxy<Backend> {
  /** The port that was taken. */
  readonly port: number;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** More than this is held for no client, be its server's own limit what it may. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Headers about one connection, not about what travels over it. */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding"];

/**
 * Passes requests on as they are: checking them is the server's part. Those that come before the first server wait. Sessions of the older revisions outlive
 * the server that opened them.
 *
 * @param port 0 for any that is free
 * @param traffic sees what clients send and are sent
 * @throws Failure when the port is taken
 */
export async function createHttpProxy(port: number, traffic?: Traffic): Promise<HttpProxy> {
  let current: Backend | undefined;
  let problem = "No server is running. Errors of the project are shown where `tenon dev` runs.";
  let begin = (): void => undefined;
  /** There has been a server, or a reason why there is none. */
  let begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const agent = new Agent({ keepAlive: true });
  const sessions = createProxySessions(agent);
  const calls = createCallsUnderWay();
  const questionIds = createQuestionIds();
  const eventStreams = new Map<ServerResponse, HttpExchange | undefined>();

  const serve = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    let body = await readBody(incoming, MOST_BYTES);
    if (body === undefined) {
      refuse(reply, 413, `The body may have at most ${MOST_BYTES} bytes.`);
      return;
    }
    const session = headerOf(incoming, "mcp-session-id");
    const message = readMessage(body);
    const answered = session === undefined ? undefined : questionIds.answered(message);
    const owner = answered?.backend ?? calls.ownerOf(session, message);
    if (!owner) await begun;
    if (reply.destroyed) return;
    const exchange = traffic && observeExchange(traffic, incoming.headers, body);
    if (answered) body = Buffer.from(JSON.stringify(answered.message));
    const backend = owner ?? current;
    if (!backend) {
      // The errors of a project show its code, which no page of elsewhere may read.
      if (isLocal(incoming)) refuse(reply, 503, problem, body, exchange);
      else refuse(reply, 403, "No server is running, and what is wrong is told to this machine only.", body);
      return;
    }
    // From here on the server stays for as long as it is at work on this.
    if (incoming.method === "POST") reply.on("close", calls.begin(backend, session, message));
    const backendId =
      session === undefined ? undefined : await sessions.backendId(session, backend, incoming.headers);
    const headers: IncomingHttpHeaders = { ...incoming.headers };
    if (backendId !== undefined) headers["mcp-session-id"] = backendId;
    if (backendId !== undefined && backendId !== session) delete headers["last-event-id"];
    for (const name of HOP_BY_HOP) delete headers[name];
    if (body.length > 0 || incoming.method === "POST") headers["content-length"] = String(body.length);

    const { method = "GET", url = "/" } = incoming;
    const outgoing = request({ host: HOST, port: backend.port, method, path: url, headers, agent });
    outgoing.on("response", (answer) => {
      const opened = headerOf(answer, "mcp-session-id");
      if (session === undefined && opened !== undefined) {
        sessions.add(opened, { backend, path: url, body, headers: incoming.headers });
      }
      if (method === "DELETE" && session !== undefined) sessions.remove(session);
      const known: OutgoingHttpHeaders = { ...answer.headers };
      for (const name of HOP_BY_HOP) delete known[name];
      if (session !== undefined && opened !== undefined) known["mcp-session-id"] = session;
      exchange?.answered(known);
      answer.on("error", () => reply.destroy());
      if (isInitialize(body)) {
        passInitialized(answer, reply, known, exchange).catch(() => reply.destroy());
        return;
      }
      reply.writeHead(answer.statusCode ?? 502, known);
      reply.flushHeaders();
      if (method === "GET" && isEventStream(answer)) {
        eventStreams.set(reply, exchange);
        reply.on("close", () => eventStreams.delete(reply));
      }
      const told =
        session !== undefined && isEventStream(answer) ? answer.pipe(questionIds.marked(backend)) : answer;
      if (exchange) told.on("data", exchange.body).on("end", exchange.end);
      told.pipe(reply);
    });
    outgoing.on("error", () => {
      if (reply.destroyed) return;
      if (reply.headersSent) reply.destroy();
      else refuse(reply, 502, "The server stopped before it could answer.", body, exchange);
    });
    // A client that hangs up cancels its call.
    reply.on("close", () => {
      if (!reply.writableFinished) exchange?.hungUp();
      outgoing.destroy();
    });
    outgoing.end(body);
  };

  const server = createServer((incoming, reply) => {
    serve(incoming, reply).catch(() => {
      if (reply.headersSent) reply.destroy();
      else refuse(reply, 502, "The server cannot be reached.");
    });
  });
  await listen(server, port);

  return {
    port: (server.address() as AddressInfo).port,
    ended: false,
    swap(next, changes) {
      current = next;
      begin();
      for (const method of listChanged(changes)) {
        const message = { jsonrpc: "2.0", method };
        for (const [stream, exchange] of eventStreams) {
          stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
          exchange?.sent(message);
        }
      }
    },
    hold() {
      current = undefined;
      begun = new Promise((resolve) => {
        begin = resolve;
      });
    },
    settled: calls.settled,
    explain(text) {
      problem = text;
      begin();
      return Promise.resolve();
    },
    drop(backend) {
      if (current === backend) current = undefined;
    },
    async close() {
      begin();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // Open streams end with the server behind them; whatever is left has had its time.
      const timer = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(timer);
      agent.destroy();
    },
  };
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(
        new Failure(taken ? `Port ${port} is in use.` : `Port ${port} cannot be used: ${error.message}`, {
          hint: "Choose another with --port, or --port 0 for any that is free.",
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

/** The members of a message; none when the body is something else. */
function readMessage(body: Buffer): MessageHead {
  try {
    return (JSON.parse(body.toString("utf8")) ?? {}) as object;
  } catch {
    return {};
  }
}

/** Passes on the answer to `initialize`, which is short, with what only a development server declares. */
async function passInitialized(
  answer: IncomingMessage,
  reply: ServerResponse,
  headers: OutgoingHttpHeaders,
  exchange: HttpExchange | undefined,
): Promise<void> {
  const text = ((await readBody(answer, Infinity)) ?? Buffer.alloc(0)).toString("utf8");
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
  exchange?.body(Buffer.from(changed));
  exchange?.end();
  reply.writeHead(answer.statusCode ?? 502, { ...headers, "content-length": Buffer.byteLength(changed) });
  reply.end(changed);
}

/** The whole body, or nothing when it is longer than `limit` bytes; the rest of such a one is read and dropped. */
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

/** True where both Host and Origin, if there is any, are this machine: rebinding DNS can forge neither. */
function isLocal({ headers: { host, origin } }: IncomingMessage): boolean {
  const isLoopback = (name = ""): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d*)?$/i.test(name);
  return isLoopback(host) && (origin === undefined || isLoopback(/^https?:\/\/(.*)$/i.exec(origin)?.[1]));
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Answers the request in `body`, or no request in particular where there is none to be read. */
function refuse(
  reply: ServerResponse,
  status: number,
  message: string,
  body?: Buffer,
  exchange?: HttpExchange,
): void {
  const { id } = body === undefined ? {} : readMessage(body);
  const known = typeof id === "string" || typeof id === "number" ? { id } : {};
  const answer = { jsonrpc: "2.0", ...known, error: { code: -32_603, message } };
  exchange?.sent(answer);
  reply.writeHead(status, { "content-type": "application/json" });
  reply.end(JSON.stringify(answer));
}

import { isUtf8 } from "node:buffer";
import type { Answer, Connection, Reply } from "../connection.js";
import type { Server } from "../server.js";
import { ErrorCode, errorText, isObject } from "../jsonrpc.js";
import { isModern } from "../modern.js";
import { findRevision } from "../revisions.js";
import {
  EVENT_STREAM_HEADERS,
  type Headers,
  HttpExchange,
  type HttpIncoming,
  type HttpOutgoing,
} from "./http-exchange.js";
import { createGuard, type Guard, type GuardOptions } from "./http-guard.js";
import { type HttpSession, HttpSessions } from "./http-sessions.js";
import { isJsonType, readAccept } from "./media-types.js";

/** Silence after which a stream or a long call is shown to be alive, in milliseconds. */
const KEEP_ALIVE_MS = 15_000;

const PREFLIGHT_HEADERS: Headers = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-max-age": "86400",
};

/**
 * Streamable HTTP, whatever carries requests and responses: modern requests stand alone, legacy ones belong to
 * a session; both come to the same URL.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#streamable-http
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
export class HttpEndpoint {
  readonly #server: Server;
  readonly #guard: Guard;
  readonly #sessions: HttpSessions;
  readonly #exchanges = new Set<HttpExchange>();
  #ticker: NodeJS.Timeout | undefined;
  #closing = false;
  #onIdle: (() => void) | undefined;

  constructor(server: Server, options: GuardOptions = {}) {
    this.#server = server;
    this.#guard = createGuard({
      ...options,
      allowedHosts: [...(server.http.allowedHosts ?? []), ...(options.allowedHosts ?? [])],
      allowedOrigins: [...(server.http.allowedOrigins ?? []), ...(options.allowedOrigins ?? [])],
    });
    this.#sessions = new HttpSessions(server);
  }

  /** How many legacy sessions are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** How many requests are being answered. */
  get pending(): number {
    return this.#exchanges.size;
  }

  handle(incoming: HttpIncoming, outgoing: HttpOutgoing): void {
    const origin = incoming.header("origin");
    const refusal = this.#guard.refuses(incoming.header("host"), origin);
    if (refusal !== undefined) return refuse(outgoing, 403, refusal);
    const headers = origin === undefined ? {} : corsHeaders(origin);
    if (this.#closing) return refuse(outgoing, 503, "The server is shutting down.", headers);
    switch (incoming.method) {
      case "POST":
        return this.#post(incoming, outgoing, headers);
      case "GET":
        return this.#get(incoming, outgoing, headers);
      case "DELETE":
        return this.#delete(incoming, outgoing, headers);
      case "OPTIONS":
        if (origin !== undefined) return preflight(incoming, outgoing, headers);
        break;
      default:
    }
    refuse(outgoing, 405, "Use POST.", { ...headers, allow: "GET, POST, DELETE" });
  }

  /** Waits for calls in progress, at most as long as the limits say, then ends sessions and streams. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#exchanges.size > 0) {
      await new Promise<void>((resolve) => {
        const deadline = setTimeout(resolve, this.#server.limits.drainMs);
        this.#onIdle = () => {
          clearTimeout(deadline);
          resolve();
        };
      });
    }
    clearInterval(this.#ticker);
    this.#ticker = undefined;
    this.#sessions.endAll();
  }

  #post(incoming: HttpIncoming, outgoing: HttpOutgoing, headers: Headers): void {
    if (!isJsonType(incoming.header("content-type"))) {
      return refuse(outgoing, 415, "Content-Type must be application/json.", headers);
    }
    if ((incoming.header("content-encoding") ?? "identity") !== "identity") {
      return refuse(outgoing, 415, "Content-Encoding is not supported.", headers);
    }
    const accepted = readAccept(incoming.header("accept"));
    if (!accepted.json && !accepted.events) {
      return refuse(outgoing, 406, "Accept must allow application/json or text/event-stream.", headers);
    }
    const limit = this.#server.limits.bodyBytes;
    incoming.read(limit, (body) => {
      if (body === "aborted") return;
      if (body === "too-large") {
        const problem = `The body may have at most ${limit} bytes.`;
        return refuse(outgoing, 413, problem, { ...headers, connection: "close" });
      }
      const message = parse(body);
      if (message === undefined) {
        return refuse(outgoing, 400, "The body is not valid JSON in UTF-8.", headers, ErrorCode.ParseError);
      }
      this.#receive(message.value, incoming, outgoing, new HttpExchange(outgoing, accepted, headers));
    });
  }

  #receive(value: unknown, incoming: HttpIncoming, outgoing: HttpOutgoing, exchange: HttpExchange): void {
    const { header } = incoming;
    const method = isObject(value) && typeof value.method === "string" ? value.method : undefined;
    const params = isObject(value) && isObject(value.params) ? value.params : {};
    if (!Array.isArray(value) && isModern(method ?? "", params, header)) {
      return this.#serveModern(value, incoming, outgoing, exchange);
    }
    const sessionId = header("mcp-session-id");
    if (sessionId === undefined) {
      if (method === "initialize" && isObject(value) && value.id !== undefined) {
        return this.#open(value, outgoing, exchange);
      }
      return this.#serveStranger(value, method, exchange);
    }
    const session = this.#sessions.find(sessionId);
    if (session === undefined) {
      return exchange.finish(failure(404, "There is no such session; it may have ended. Initialize again."));
    }
    const version = header("mcp-protocol-version");
    if (version !== undefined && findRevision(version, "legacy") === undefined) {
      return exchange.finish(
        failure(400, `MCP-Protocol-Version "${version.slice(0, 64)}" is not supported.`),
      );
    }
    this.#answer(session.connection.receive(value, exchange), outgoing, exchange, session);
  }

  /** Each modern request is a conversation of its own, which ends when its client goes away. */
  #serveModern(value: unknown, incoming: HttpIncoming, outgoing: HttpOutgoing, exchange: HttpExchange): void {
    const connection = this.#server.connect({ send: (text) => exchange.notify(text) });
    const reply = connection.receive(value, exchange, incoming.header);
    if (reply instanceof Promise) outgoing.onDisconnect(() => connection.close("The client went away."));
    this.#answer(reply, outgoing, exchange, undefined, connection);
  }

  /** Messages of no session and no modern revision: only malformed ones can be told apart and answered as such. */
  #serveStranger(value: unknown, method: string | undefined, exchange: HttpExchange): void {
    if (Array.isArray(value) || method !== undefined || (isObject(value) && "id" in value)) {
      const id =
        isObject(value) && (typeof value.id === "string" || typeof value.id === "number")
          ? value.id
          : undefined;
      const problem = "The Mcp-Session-Id header is missing, and so is the _meta of a modern request.";
      return exchange.finish({ text: errorText(id, ErrorCode.InvalidRequest, problem), status: 400 });
    }
    exchange.finish(failure(400, "The body is not a JSON-RPC message."));
  }

  #open(value: unknown, outgoing: HttpOutgoing, exchange: HttpExchange): void {
    const session = this.#sessions.create();
    const reply = session.connection.receive(value, exchange);
    if (session.connection.revision === undefined) {
      session.end();
    } else if (this.#sessions.add(session)) {
      return this.#answer(reply, outgoing, exchange, session, undefined, { "mcp-session-id": session.id });
    } else {
      session.end();
      return exchange.finish(failure(503, "Too many sessions are open."), { "retry-after": "60" });
    }
    this.#answer(reply, outgoing, exchange);
  }

  /** `session` is kept from ending, and `connection` is closed, once the answer is given. */
  #answer(
    reply: Reply,
    outgoing: HttpOutgoing,
    exchange: HttpExchange,
    session?: HttpSession,
    connection?: Connection,
    headers?: Headers,
  ): void {
    if (!(reply instanceof Promise)) {
      if (reply === undefined) exchange.acknowledge();
      else exchange.finish(reply, headers);
      connection?.close();
      return;
    }
    if (session !== undefined) session.active++;
    this.#exchanges.add(exchange);
    this.#startTicking();
    outgoing.onDisconnect(() => exchange.forget());
    void reply.then((answer) => {
      if (session !== undefined) {
        session.active--;
        session.touch();
      }
      exchange.finish(answer, headers);
      connection?.close();
      this.#exchanges.delete(exchange);
      if (this.#exchanges.size === 0) this.#onIdle?.();
    });
  }

  #get(incoming: HttpIncoming, outgoing: HttpOutgoing, headers: Headers): void {
    const session = this.#sessionOf(incoming, outgoing, headers);
    if (session === undefined) return;
    if (!readAccept(incoming.header("accept")).events) {
      return refuse(outgoing, 406, "Accept must allow text/event-stream.", headers);
    }
    const stream = outgoing.stream({ ...headers, ...EVENT_STREAM_HEADERS });
    session.attach(stream);
    this.#startTicking();
    outgoing.onDisconnect(() => session.detach(stream));
  }

  #delete(incoming: HttpIncoming, outgoing: HttpOutgoing, headers: Headers): void {
    const session = this.#sessionOf(incoming, outgoing, headers);
    if (session === undefined) return;
    this.#sessions.end(session.id);
    outgoing.respond(204, headers);
  }

  /** The session that a request without a body is about; answers the request when there is none. */
  #sessionOf(incoming: HttpIncoming, outgoing: HttpOutgoing, headers: Headers): HttpSession | undefined {
    const id = incoming.header("mcp-session-id");
    const version = incoming.header("mcp-protocol-version");
    const isLegacy = version !== undefined && findRevision(version, "legacy") !== undefined;
    if (version !== undefined && findRevision(version) === undefined) {
      refuse(outgoing, 400, `MCP-Protocol-Version "${version.slice(0, 64)}" is not supported.`, headers);
    } else if (id === undefined && isLegacy) {
      refuse(outgoing, 400, "The Mcp-Session-Id header is missing.", headers);
    } else if (id === undefined || (version !== undefined && !isLegacy)) {
      refuse(outgoing, 405, "Use POST.", { ...headers, allow: "POST" });
    } else {
      const session = this.#sessions.find(id);
      if (session === undefined)
        refuse(outgoing, 404, "There is no such session; it may have ended.", headers);
      return session;
    }
    return undefined;
  }

  #startTicking(): void {
    if (this.#ticker !== undefined) return;
    this.#ticker = setInterval(() => {
      for (const exchange of this.#exchanges) exchange.keepAlive();
      this.#sessions.keepAlive();
    }, KEEP_ALIVE_MS);
    this.#ticker.unref();
  }
}

function parse(body: Uint8Array): { value: unknown } | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    return { value: JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")) };
  } catch {
    return undefined;
  }
}

function failure(status: number, problem: string, code: number = ErrorCode.InvalidRequest): Answer {
  return { text: errorText(undefined, code, problem), status };
}

function refuse(
  outgoing: HttpOutgoing,
  status: number,
  problem: string,
  headers: Headers = {},
  code: number = ErrorCode.InvalidRequest,
): void {
  const { text } = failure(status, problem, code);
  outgoing.respond(status, { ...headers, "content-type": "application/json" }, text);
}

/** Lets a page of an accepted origin read the answer. */
function corsHeaders(origin: string): Headers {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "mcp-session-id, www-authenticate",
    vary: "origin",
  };
}

function preflight(incoming: HttpIncoming, outgoing: HttpOutgoing, headers: Headers): void {
  const wanted = incoming.header("access-control-request-headers");
  const allowed: Headers = wanted === undefined ? {} : { "access-control-allow-headers": wanted };
  outgoing.respond(204, { ...headers, ...PREFLIGHT_HEADERS, ...allowed });
}

import type { Connection, Reply } from "../connection.js";
import type { Server } from "../server.js";
import { isObject } from "../jsonrpc.js";
import { isModern } from "../modern.js";
import { findRevision, type Revision, UNNAMED_HTTP_REVISION } from "../revisions.js";
import { readMessage, refusesBody } from "./http-body.js";
import { EVENT_STREAM_HEADERS, type Headers, HttpExchange, type HttpOutgoing } from "./http-exchange.js";
import { type Arrival, createGate, type Gate } from "./http-gate.js";
import type { GuardOptions } from "./http-guard.js";
import { failure, refuse, strangerAnswer, unsupportedVersion } from "./http-refusal.js";
import { type HttpSession, HttpSessions } from "./http-sessions.js";
import { readAccept } from "./media-types.js";

/** Silence after which a stream or a long call is shown to be alive, in milliseconds. */
const KEEP_ALIVE_MS = 15_000;

/** What goes with an answer besides the answer. */
interface Answering {
  /** Kept from ending until the answer is given. */
  session?: HttpSession;
  /** Closed once the answer is given. */
  connection?: Connection;
  headers?: Headers;
}

/**
 * Streamable HTTP, whatever carries requests and responses: modern requests stand alone, legacy ones belong to
 * a session; both come to the same URL.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#streamable-http
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
export class HttpEndpoint {
  readonly handle: Gate;
  readonly #server: Server;
  readonly #sessions: HttpSessions;
  readonly #hasSessions: boolean;
  /** Requests being answered, with the connections that exist for them alone. */
  readonly #exchanges = new Map<HttpExchange, Connection | undefined>();
  #ticker: NodeJS.Timeout | undefined;
  #closing = false;
  #onIdle: (() => void) | undefined;

  constructor(server: Server, options: GuardOptions = {}) {
    this.#server = server;
    this.handle = createGate(server, options, (arrival) => this.#serve(arrival));
    this.#sessions = new HttpSessions(server);
    this.#hasSessions = server.http.sessions !== false;
  }

  /** How many legacy sessions are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** How many requests are being answered. */
  get pending(): number {
    return this.#exchanges.size;
  }

  /** Waits for calls in progress, at most as long as the limits say, then ends sessions and streams. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const connection of this.#exchanges.values()) connection?.finish();
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

  #serve(arrival: Arrival): void {
    const { incoming, outgoing, headers } = arrival;
    if (this.#closing) return refuse(outgoing, 503, "The server is shutting down.", headers);
    switch (incoming.method) {
      case "POST":
        return this.#post(arrival);
      case "GET":
        return this.#get(arrival);
      case "DELETE":
        return this.#delete(arrival);
      default:
        refuse(outgoing, 405, "Use POST.", { ...headers, allow: "GET, POST, DELETE" });
    }
  }

  #post(arrival: Arrival): void {
    const { incoming, outgoing, headers } = arrival;
    if (refusesBody(incoming, outgoing, headers)) return;
    const accepted = readAccept(incoming.header("accept"));
    if (!accepted.json && !accepted.events) {
      return refuse(outgoing, 406, "Accept must allow application/json or text/event-stream.", headers);
    }
    readMessage(incoming, outgoing, headers, this.#server.limits.bodyBytes, (message) => {
      this.#receive(message, arrival, new HttpExchange(outgoing, accepted, headers));
    });
  }

  #receive(value: unknown, arrival: Arrival, exchange: HttpExchange): void {
    const { header } = arrival.incoming;
    const method = isObject(value) && typeof value.method === "string" ? value.method : undefined;
    const params = isObject(value) && isObject(value.params) ? value.params : {};
    if (!Array.isArray(value) && isModern(method ?? "", params, header)) {
      return this.#serveModern(value, method, arrival, exchange);
    }
    if (!this.#hasSessions) return this.#serveAlone(value, method, arrival, exchange);
    const sessionId = header("mcp-session-id");
    if (sessionId === undefined) {
      if (method === "initialize" && isObject(value) && value.id !== undefined) {
        return this.#open(value, arrival, exchange);
      }
      return exchange.finish(strangerAnswer(value));
    }
    const session = this.#sessions.find(sessionId, arrival.principal);
    if (session === undefined) {
      return exchange.finish(failure(404, "There is no such session; it may have ended. Initialize again."));
    }
    const version = header("mcp-protocol-version");
    if (version !== undefined && findRevision(version, "legacy") === undefined) {
      return exchange.finish(failure(400, unsupportedVersion(version)));
    }
    exchange.resumeBy({
      log: session.log,
      polled: session.connection.revision?.polledStreams === true,
    });
    this.#answer(session.connection.receive(value, exchange), arrival.outgoing, exchange, { session });
  }

  /** Each modern request is a conversation of its own, which ends when its client goes away. */
  #serveModern(
    value: unknown,
    method: string | undefined,
    { incoming, outgoing, principal }: Arrival,
    exchange: HttpExchange,
  ): void {
    if (method === "subscriptions/listen" && !exchange.acceptsEvents) {
      return exchange.finish(failure(406, "Accept must allow text/event-stream for a subscription."));
    }
    const connection = this.#server.connect({ send: (text) => exchange.notify(text), principal });
    const reply = connection.receive(value, exchange, incoming.header);
    if (reply instanceof Promise) outgoing.onDisconnect(() => connection.close("The client went away."));
    this.#answer(reply, outgoing, exchange, { connection });
  }

  /** Without sessions a legacy request stands alone too; all that is known of its client is the revision. */
  #serveAlone(
    value: unknown,
    method: string | undefined,
    { incoming, outgoing, principal }: Arrival,
    exchange: HttpExchange,
  ): void {
    const version = incoming.header("mcp-protocol-version");
    let revision: Revision | undefined = UNNAMED_HTTP_REVISION;
    if (version !== undefined) revision = findRevision(version, "legacy");
    if (revision === undefined) return exchange.finish(failure(400, unsupportedVersion(version ?? "")));
    const connection = this.#server.connect({
      send: (text) => exchange.notify(text),
      isBrief: true,
      principal,
    });
    if (method !== "initialize") connection.begin(revision, { capabilities: {} });
    this.#answer(connection.receive(value, exchange), outgoing, exchange, { connection });
  }

  #open(value: unknown, { outgoing, principal }: Arrival, exchange: HttpExchange): void {
    const session = this.#sessions.create(principal);
    const reply = session.connection.receive(value, exchange);
    if (session.connection.revision === undefined) {
      session.end();
    } else if (this.#sessions.add(session)) {
      const headers = { "mcp-session-id": session.id };
      return this.#answer(reply, outgoing, exchange, { session, headers });
    } else {
      session.end();
      return exchange.finish(failure(503, "Too many sessions are open."), { "retry-after": "60" });
    }
    this.#answer(reply, outgoing, exchange);
  }

  #answer(
    reply: Reply,
    outgoing: HttpOutgoing,
    exchange: HttpExchange,
    { session, connection, headers }: Answering = {},
  ): void {
    if (!(reply instanceof Promise)) {
      if (reply === undefined) exchange.acknowledge();
      else exchange.finish(reply, headers);
      connection?.close();
      return;
    }
    if (session !== undefined) session.active++;
    this.#exchanges.set(exchange, connection);
    this.#startTicking();
    outgoing.onDisconnect(() => exchange.forget());
    void reply.then((answer) => {
      if (session !== undefined) {
        session.active--;
        this.#sessions.touch(session);
      }
      exchange.finish(answer, headers);
      connection?.close();
      this.#exchanges.delete(exchange);
      if (this.#exchanges.size === 0) this.#onIdle?.();
    });
  }

  /** Opens the stream for messages of no request, or takes up the one that the client lost. */
  #get(arrival: Arrival): void {
    const { incoming, outgoing, headers } = arrival;
    const session = this.#sessionOf(arrival);
    if (session === undefined) return;
    if (!readAccept(incoming.header("accept")).events) {
      return refuse(outgoing, 406, "Accept must allow text/event-stream.", headers);
    }
    const { log, connection } = session;
    const { standing } = log;
    const lastEventId = incoming.header("last-event-id");
    const place = lastEventId === undefined ? undefined : log.find(lastEventId);
    if (lastEventId !== undefined && place === undefined) {
      return refuse(outgoing, 400, "What followed that Last-Event-ID is not kept.", headers);
    }
    const { stream, after } = place ?? { stream: standing, after: session.listen() };
    const events = outgoing.stream({ ...headers, ...EVENT_STREAM_HEADERS });
    outgoing.onDisconnect(() => {
      stream.detach(events);
      this.#sessions.touch(session);
    });
    stream.attach(events, after);
    const hasNothingToSay = after === stream.sequence;
    if (hasNothingToSay && connection.revision?.polledStreams === true) stream.prime();
    this.#startTicking();
  }

  #delete(arrival: Arrival): void {
    const session = this.#sessionOf(arrival);
    if (session === undefined) return;
    this.#sessions.end(session.id);
    arrival.outgoing.respond(204, arrival.headers);
  }

  /** The session that a request without a body is about; answers the request when there is none. */
  #sessionOf({ incoming, outgoing, headers, principal }: Arrival): HttpSession | undefined {
    const id = this.#hasSessions ? incoming.header("mcp-session-id") : undefined;
    const version = incoming.header("mcp-protocol-version");
    const isLegacy = version !== undefined && findRevision(version, "legacy") !== undefined;
    if (version !== undefined && findRevision(version) === undefined) {
      refuse(outgoing, 400, unsupportedVersion(version), headers);
    } else if (id === undefined && isLegacy && this.#hasSessions) {
      refuse(outgoing, 400, "The Mcp-Session-Id header is missing.", headers);
    } else if (id === undefined || (version !== undefined && !isLegacy)) {
      refuse(outgoing, 405, "Use POST.", { ...headers, allow: "POST" });
    } else {
      const session = this.#sessions.find(id, principal);
      if (session === undefined) {
        refuse(outgoing, 404, "There is no such session; it may have ended.", headers);
      }
      return session;
    }
    return undefined;
  }

  #startTicking(): void {
    if (this.#ticker !== undefined) return;
    this.#ticker = setInterval(() => {
      for (const exchange of this.#exchanges.keys()) exchange.keepAlive();
      this.#sessions.keepAlive();
    }, KEEP_ALIVE_MS);
    this.#ticker.unref();
  }
}

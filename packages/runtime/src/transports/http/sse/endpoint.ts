/**
 * HTTP+SSE, the HTTP transport of 2024-11-05, for clients without Streamable HTTP: the server sends everything on one
 * event stream, and clients post messages to the URL in its first event.
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 * @module
 */
import type { Principal } from "../../../api/caller.js";
import { getBinding, hasUsedShare } from "../../../access/principal.js";
import type { EncodedResponse, TransportConnection } from "../../transport.js";
import { drain, SHUTTING_DOWN } from "../../drain.js";
import type { Server } from "../../../server.js";
import { toEventText, KEEP_ALIVE, KEEP_ALIVE_INTERVAL_MS } from "../exchange/event-text.js";
import { readMessage } from "../exchange/body.js";
import type { Endpoint, EventStream, ExchangeHandler, HttpExchange } from "../exchange/exchange.js";
import { withAccessControl } from "../access.js";
import type { AccessOptions } from "../host-and-origin.js";
import { reject, rejectFor, TooManySessionsError } from "../exchange/rejection.js";
import { getRequestParameters, getRequestPath } from "../exchange/request-path.js";

/** The paths of the stream and of messages. */
export const SSE_PATHS = { stream: "/sse", messages: "/messages" } as const;

/** A client's stream and its connection. */
interface SseSession {
  readonly stream: EventStream;
  readonly connection: TransportConnection;
  /** The client, with the newest token of its caller. */
  readonly peer: { principal: Principal | undefined };
}

/** The two paths of the transport. A session lasts as long as its stream. */
export class SseEndpoint implements Endpoint {
  readonly handle: ExchangeHandler;
  readonly #server: Server;
  readonly #sessions = new Map<string, SseSession>();
  /** Calls without a response. */
  readonly #pending = new Set<Promise<void>>();
  #keepAliveTimer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(server: Server, options: AccessOptions = {}) {
    this.#server = server;
    this.handle = withAccessControl(server, options, (exchange) => this.#serve(exchange), {
      hasOwnPath: true,
    });
  }

  /** Waits for calls in progress, for as long as the limits allow, then ends every stream. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const connections = Array.from(this.#sessions.values(), ({ connection }) => connection);
    for (const connection of connections) connection.finish();
    await drain(this.#server.limits.drainTimeoutMs, Promise.all(this.#pending), () => connections);
    clearInterval(this.#keepAliveTimer);
    for (const id of this.#sessions.keys()) this.#end(id);
  }

  #serve(exchange: HttpExchange): void {
    const path = getRequestPath(exchange.target);
    const isStream = path === SSE_PATHS.stream;
    if (!isStream && path !== SSE_PATHS.messages) {
      return reject(exchange, 404, `Nothing is served at this path. The stream is at ${SSE_PATHS.stream}.`);
    }
    if (this.#isClosing) return reject(exchange, 503, SHUTTING_DOWN);
    const method = isStream ? "GET" : "POST";
    if (exchange.method !== method) {
      exchange.headers.allow = method;
      return reject(exchange, 405, `Use ${method}.`);
    }
    if (isStream) return this.#open(exchange);
    const posted = this.#post(exchange, getRequestParameters(exchange.target).get("sessionId") ?? "");
    posted.catch((error: unknown) => rejectFor(exchange, error));
  }

  #open(exchange: HttpExchange): void {
    const { principal } = exchange;
    const { maxSessions } = this.#server.limits;
    const callers = [...this.#sessions.values()].map((each) => getBinding(each.peer.principal));
    if (callers.length >= maxSessions || hasUsedShare(getBinding(principal), callers, maxSessions))
      return rejectFor(exchange, new TooManySessionsError());
    const id = globalThis.crypto.randomUUID();
    const stream = exchange.streamUntilExpiry(() => this.#end(id));
    const peer = { send: (text: string) => send(stream, text), principal };
    const connection = this.#server.connect(peer);
    this.#sessions.set(id, { stream, connection, peer });
    stream.write(toEventText(`${SSE_PATHS.messages}?sessionId=${id}`, "event: endpoint\n"));
    this.#startKeepAlive();
  }

  async #post(exchange: HttpExchange, id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined || getBinding(session.peer.principal) !== getBinding(exchange.principal)) {
      return reject(exchange, 404, "There is no such session. Open the stream again.");
    }
    session.peer.principal = exchange.principal;
    const message = await readMessage(exchange, this.#server.limits.maxBodyBytes);
    if (message === undefined) return;
    // Errors of the message are sent on the stream, as its response.
    exchange.headers["content-type"] = "text/plain";
    exchange.respond(202, "Accepted");
    this.#receive(session, message, exchange);
  }

  #receive({ stream, connection }: SseSession, message: unknown, exchange: HttpExchange): void {
    const { address, header, principal } = exchange;
    const respond = (response: EncodedResponse | undefined): void => {
      if (response !== undefined) send(stream, response.text);
    };
    const response = connection.receive(message, {
      send: (text) => send(stream, text),
      address,
      header,
      principal,
    });
    if (!(response instanceof Promise)) return respond(response);
    const done = response.then((each) => {
      this.#pending.delete(done);
      respond(each);
    });
    this.#pending.add(done);
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    session.connection.close("The client has disconnected.");
    session.stream.end();
  }

  #startKeepAlive(): void {
    if (this.#keepAliveTimer !== undefined) return;
    this.#keepAliveTimer = setInterval(() => {
      for (const { stream } of this.#sessions.values()) stream.write(KEEP_ALIVE);
    }, KEEP_ALIVE_INTERVAL_MS);
    this.#keepAliveTimer.unref();
  }
}

function send(stream: EventStream, text: string): void {
  stream.write(toEventText(text, "event: message\n"));
}

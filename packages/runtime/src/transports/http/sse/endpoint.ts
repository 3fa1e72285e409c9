/**
 * HTTP+SSE, the HTTP transport of 2024-11-05, for clients that know no other: a stream of events carries all
 * that the server sends, and messages to the server are posted to the URL that the stream names first.
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 * @module
 */
import type { Principal } from "../../../api/caller.js";
import { bindingOf } from "../../../connection/principal.js";
import type { Answer, TransportConnection } from "../../transport.js";
import { drain, SHUTTING_DOWN } from "../../drain.js";
import type { Server } from "../../../server.js";
import { eventText, KEEP_ALIVE, KEEP_ALIVE_MS } from "../exchange/event-text.js";
import { readMessage } from "../exchange/body.js";
import type { Endpoint, EventStream, ExchangeHandler, HttpExchange } from "../exchange/exchange.js";
import { withAccessControl } from "../access.js";
import type { AccessOptions } from "../host-and-origin.js";
import { refuse, refuseFor, TooManySessions } from "../exchange/refusal.js";
import { requestPath } from "../exchange/request-path.js";

/** Where clients open the stream, and where they post to. */
export const SSE_PATHS = { stream: "/sse", messages: "/messages" } as const;

/** A client's stream, and the conversation over it. */
interface SseSession {
  readonly stream: EventStream;
  readonly connection: TransportConnection;
  readonly principal: Principal | undefined;
}

/** The two URLs of the transport. A session lasts as long as its stream. */
export class SseEndpoint implements Endpoint {
  readonly handle: ExchangeHandler;
  readonly #server: Server;
  readonly #sessions = new Map<string, SseSession>();
  /** Calls that are not answered yet. */
  readonly #pending = new Set<Promise<void>>();
  #ticker: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(server: Server, options: AccessOptions = {}) {
    this.#server = server;
    const pathOf = ({ target }: HttpExchange): string => requestPath(target);
    this.handle = withAccessControl(server, options, (exchange) => this.#serve(exchange), { pathOf });
  }

  /** Waits for calls in progress, at most as long as the limits say, then ends every stream. */
  async close(): Promise<void> {
    this.#closing = true;
    const connections = Array.from(this.#sessions.values(), ({ connection }) => connection);
    for (const connection of connections) connection.finish();
    await drain(this.#server.limits.drainMs, Promise.all(this.#pending), () => connections);
    clearInterval(this.#ticker);
    for (const id of this.#sessions.keys()) this.#end(id);
  }

  #serve(exchange: HttpExchange): void {
    const { pathname, searchParams } = new URL(exchange.target, "http://localhost");
    const isStream = pathname === SSE_PATHS.stream;
    if (!isStream && pathname !== SSE_PATHS.messages) {
      return refuse(exchange, 404, `There is nothing here; the stream is at ${SSE_PATHS.stream}.`);
    }
    if (this.#closing) return refuse(exchange, 503, SHUTTING_DOWN);
    const method = isStream ? "GET" : "POST";
    if (exchange.method !== method) {
      exchange.headers.allow = method;
      return refuse(exchange, 405, `Use ${method}.`);
    }
    if (isStream) this.#open(exchange);
    else this.#post(exchange, searchParams.get("sessionId") ?? "");
  }

  #open(exchange: HttpExchange): void {
    const { principal } = exchange;
    if (this.#sessions.size >= this.#server.limits.sessions) {
      return refuseFor(exchange, new TooManySessions());
    }
    const id = globalThis.crypto.randomUUID();
    const stream = exchange.streamUntilExpiry(() => this.#end(id));
    const connection = this.#server.connect({ send: (text) => send(stream, text), principal });
    this.#sessions.set(id, { stream, connection, principal });
    stream.write(eventText(`${SSE_PATHS.messages}?sessionId=${id}`, "event: endpoint\n"));
    this.#startTicking();
  }

  #post(exchange: HttpExchange, id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined || bindingOf(session.principal) !== bindingOf(exchange.principal)) {
      return refuse(exchange, 404, "There is no such session; open the stream again.");
    }
    readMessage(exchange, this.#server.limits.bodyBytes, (message) => {
      // Whatever is wrong with the message goes to the stream, as its answer.
      exchange.headers["content-type"] = "text/plain";
      exchange.respond(202, "Accepted");
      this.#receive(session, message, exchange);
    });
  }

  #receive({ stream, connection }: SseSession, message: unknown, exchange: HttpExchange): void {
    const { address, header, principal } = exchange;
    const answer = (given: Answer | undefined): void => {
      if (given !== undefined) send(stream, given.text);
    };
    const reply = connection.receive(message, {
      send: (text) => send(stream, text),
      address,
      header,
      principal,
    });
    if (!(reply instanceof Promise)) return answer(reply);
    const done = reply.then((given) => {
      this.#pending.delete(done);
      answer(given);
    });
    this.#pending.add(done);
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    session.connection.close("The client went away.");
    session.stream.end();
  }

  #startTicking(): void {
    if (this.#ticker !== undefined) return;
    this.#ticker = setInterval(() => {
      for (const { stream } of this.#sessions.values()) stream.write(KEEP_ALIVE);
    }, KEEP_ALIVE_MS);
    this.#ticker.unref();
  }
}

function send(stream: EventStream, text: string): void {
  stream.write(eventText(text, "event: message\n"));
}

/**
 * HTTP+SSE, the HTTP transport of 2024-11-05, for clients that know no other: a stream of events carries all
 * that the server says, and messages to the server are posted to the URL that the stream names first.
 *
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 * @module
 */
import type { Answer, Connection } from "../connection.js";
import type { Server } from "../server.js";
import { eventText, KEEP_ALIVE } from "./event-text.js";
import { readMessage, refusesBody } from "./http-body.js";
import { EVENT_STREAM_HEADERS, type EventStream } from "./http-exchange.js";
import { type Arrival, createGate, type Gate } from "./http-gate.js";
import type { GuardOptions } from "./http-guard.js";
import { refuse } from "./http-refusal.js";

/** Silence after which a stream is shown to be alive, in milliseconds. */
const KEEP_ALIVE_MS = 15_000;

/** Where clients open the stream, and where they post to. */
export const SSE_PATHS = { stream: "/sse", messages: "/messages" } as const;

/** A client's stream, and the conversation over it. */
interface SseSession {
  readonly stream: EventStream;
  readonly connection: Connection;
  readonly principal: string | undefined;
  /** Requests being answered. */
  active: number;
}

/** The two URLs of the transport. A session lasts as long as its stream. */
export class SseEndpoint {
  readonly handle: Gate;
  readonly #server: Server;
  readonly #sessions = new Map<string, SseSession>();
  #ticker: NodeJS.Timeout | undefined;
  #closing = false;
  #onIdle: (() => void) | undefined;

  constructor(server: Server, options: GuardOptions = {}) {
    this.#server = server;
    this.handle = createGate(server, options, (arrival) => this.#serve(arrival));
  }

  /** How many streams are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Waits for calls in progress, at most as long as the limits say, then ends every stream. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const { connection } of this.#sessions.values()) connection.finish();
    if (!this.#isIdle()) {
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
    for (const id of this.#sessions.keys()) this.#end(id);
  }

  #serve(arrival: Arrival): void {
    const { incoming, outgoing, headers } = arrival;
    const { pathname, searchParams } = new URL(incoming.target, "http://localhost");
    const isStream = pathname === SSE_PATHS.stream;
    if (!isStream && pathname !== SSE_PATHS.messages) {
      return refuse(outgoing, 404, `There is nothing here; the stream is at ${SSE_PATHS.stream}.`, headers);
    }
    if (this.#closing) return refuse(outgoing, 503, "The server is shutting down.", headers);
    const method = isStream ? "GET" : "POST";
    if (incoming.method !== method) {
      return refuse(outgoing, 405, `Use ${method}.`, { ...headers, allow: method });
    }
    if (isStream) this.#open(arrival);
    else this.#post(arrival, searchParams.get("sessionId") ?? "");
  }

  #open({ outgoing, headers, principal }: Arrival): void {
    if (this.#sessions.size >= this.#server.limits.sessions) {
      return refuse(outgoing, 503, "Too many sessions are open.", { ...headers, "retry-after": "60" });
    }
    const id = globalThis.crypto.randomUUID();
    const stream = outgoing.stream({ ...headers, ...EVENT_STREAM_HEADERS });
    const connection = this.#server.connect({ send: (text) => say(stream, text), principal });
    this.#sessions.set(id, { stream, connection, principal, active: 0 });
    outgoing.onDisconnect(() => this.#end(id));
    stream.write(eventText(`${SSE_PATHS.messages}?sessionId=${id}`, { event: "endpoint" }));
    this.#startTicking();
  }

  #post({ incoming, outgoing, headers, principal }: Arrival, id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined || session.principal !== principal) {
      return refuse(outgoing, 404, "There is no such session; open the stream again.", headers);
    }
    if (refusesBody(incoming, outgoing, headers)) return;
    readMessage(incoming, outgoing, headers, this.#server.limits.bodyBytes, (message) => {
      // Whatever is wrong with the message is said on the stream, as its answer.
      outgoing.respond(202, { ...headers, "content-type": "text/plain" }, "Accepted");
      this.#receive(session, message);
    });
  }

  #receive(session: SseSession, message: unknown): void {
    const { stream, connection } = session;
    const reply = connection.receive(message);
    const answer = (given: Answer | undefined): void => {
      if (given !== undefined) say(stream, given.text);
    };
    if (!(reply instanceof Promise)) return answer(reply);
    session.active++;
    void reply.then((given) => {
      session.active--;
      answer(given);
      if (this.#isIdle()) this.#onIdle?.();
    });
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    session.connection.close("The client went away.");
    session.stream.end();
  }

  #isIdle(): boolean {
    return [...this.#sessions.values()].every((session) => session.active === 0);
  }

  #startTicking(): void {
    if (this.#ticker !== undefined) return;
    this.#ticker = setInterval(() => {
      for (const { stream } of this.#sessions.values()) stream.write(KEEP_ALIVE);
    }, KEEP_ALIVE_MS);
    this.#ticker.unref();
  }
}

function say(stream: EventStream, text: string): void {
  stream.write(eventText(text, { event: "message" }));
}

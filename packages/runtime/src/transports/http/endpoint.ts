import type { Reply, TransportConnection } from "../transport.js";
import type { Server } from "../../server.js";
import type { Params } from "../../protocol/jsonrpc.js";
import { settle } from "../../connection/settle.js";
import { isModern } from "../../connection/modern-request.js";
import { drain, SHUTTING_DOWN } from "../drain.js";
import { findRevision, UNNAMED_HTTP_REVISION } from "../../protocol/revisions.js";
import { KEEP_ALIVE_MS } from "./exchange/event-text.js";
import { readMessage } from "./exchange/body.js";
import type { Endpoint, ExchangeHandler, HttpExchange } from "./exchange/exchange.js";
import { withAccessControl } from "./access.js";
import type { AccessOptions } from "./host-and-origin.js";
import { respondWithPage, wantsPage } from "./exchange/page.js";
import { refuse, refuseFor, refuseWithoutSession } from "./exchange/refusal.js";
import type { HttpSession } from "./sessions/session.js";
import { HttpSessions } from "./sessions/sessions.js";
import { accepts } from "./exchange/media-types.js";

const SESSION_ID = "mcp-session-id";
const VERSION = "mcp-protocol-version";

/** How often ended sessions are looked for at least, as a share of the time after which they end. */
const SWEEPS_PER_IDLE_TIME = 4;

export interface EndpointOptions extends AccessOptions {
  /** Each request has timers of its own: for platforms where one request cannot touch the streams of another. */
  requestTimers?: boolean;
}

/** As far as its headers say, which have to agree with what is asked. */
const isForTasks = (header: HttpExchange["header"]): unknown => header("mcp-method")?.startsWith("tasks/");

/** A request being answered. */
interface Pending {
  readonly exchange: HttpExchange;
  readonly connection: TransportConnection;
  readonly done: Promise<void>;
}

/**
 * Streamable HTTP, whatever carries requests and responses: modern requests stand alone, legacy ones belong to
 * a session; both come to the same URL.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#streamable-http
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
export class HttpEndpoint implements Endpoint {
  readonly handle: ExchangeHandler;
  readonly #server: Server;
  readonly #sessions: HttpSessions;
  /** The methods that are served at all: others than POST are about sessions. */
  readonly #methods: string;
  readonly #pending = new Set<Pending>();
  /** Requests that wait for what a store knows of their session. */
  readonly #waiting = new Set<Promise<void>>();
  readonly #hasOwnTimers: boolean;
  #ticker: NodeJS.Timeout | undefined;
  #closing = false;

  constructor(server: Server, options: EndpointOptions = {}) {
    this.#server = server;
    this.#hasOwnTimers = options.requestTimers ?? false;
    this.handle = withAccessControl(server, options, (exchange) => this.#serve(exchange));
    this.#sessions = server.httpSessions?.(server) ?? new HttpSessions(server);
    this.#methods =
      server.http.sessions === false ? "POST" : server.sendsMessages ? "GET, POST, DELETE" : "POST, DELETE";
  }

  /** How many legacy sessions are open. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** How many requests are being answered. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Waits for calls and tasks in progress, at most as long as the limits say, then ends sessions and streams. Until then
   * clients may ask for their tasks, and for nothing else.
   */
  async close(): Promise<void> {
    this.#closing = true;
    for (const { connection } of this.#pending) connection.finish();
    const { limits, endingTasks } = this.#server;
    const pending = (): TransportConnection[] => Array.from(this.#pending, ({ connection }) => connection);
    await drain(limits.drainMs, this.#drained(), pending, endingTasks);
    clearInterval(this.#ticker);
    this.#sessions.forgetAll();
  }

  async #drained(): Promise<void> {
    const answered = async (): Promise<void> => {
      while (this.#pending.size + this.#waiting.size > 0) {
        await Promise.all([...this.#waiting, ...Array.from(this.#pending, ({ done }) => done)]);
      }
    };
    await answered();
    await this.#server.endingTasks?.known();
    await answered();
  }

  #serve(exchange: HttpExchange): void {
    const { method, header, headers } = exchange;
    if (this.#closing && !isForTasks(header)) return refuse(exchange, 503, SHUTTING_DOWN);
    if (method === "POST") return this.#post(exchange);
    const isOfSession = method === "GET" || method === "DELETE";
    const isLegacy = !isModern("", {}, header) && (header(SESSION_ID) ?? header(VERSION)) !== undefined;
    if (isOfSession && isLegacy && this.#methods !== "POST") {
      return this.#inSession(exchange, undefined, (session) => this.#serveSession(session, exchange));
    }
    if (wantsPage(exchange)) return respondWithPage(exchange, this.#server.info);
    headers.allow = isOfSession ? "POST" : this.#methods;
    refuse(exchange, 405, "Use POST.");
  }

  #serveSession(session: HttpSession, exchange: HttpExchange): void {
    if (exchange.method === "DELETE") {
      const ended = (): void => exchange.respond(204);
      return this.#after(exchange, () => this.#sessions.end(session), ended);
    }
    if (session.streams !== undefined) {
      return session.streams.resume(exchange, () => this.#sessions.touch(session));
    }
    exchange.headers.allow = "POST";
    refuse(exchange, 405, "Use POST.");
  }

  #post(exchange: HttpExchange): void {
    const accept = exchange.header("accept");
    exchange.acceptsJson = accepts(accept, "application/json");
    exchange.acceptsEvents = accepts(accept, "text/event-stream");
    if (!exchange.acceptsJson && !exchange.acceptsEvents) {
      return refuse(exchange, 406, "Accept must allow application/json or text/event-stream.");
    }
    readMessage(exchange, this.#server.limits.bodyBytes, (message) => this.#receive(message, exchange));
  }

  #receive(message: unknown, exchange: HttpExchange): void {
    const { header } = exchange;
    // What is no object has no members to look at.
    const { method = "", params } = Object(message) as { method?: string; params?: unknown };
    if (this.#closing && isForTasks(header) && !String(method).startsWith("tasks/")) {
      return refuse(exchange, 503, SHUTTING_DOWN);
    }
    if (!Array.isArray(message) && isModern(method, Object(params) as Params, header)) {
      return this.#serveAlone(message, exchange);
    }
    if (this.#methods === "POST") {
      // All that is known of its client is the revision.
      const revision = findRevision(header(VERSION) ?? UNNAMED_HTTP_REVISION.id, "legacy");
      if (revision === undefined) return refuseVersion(exchange);
      exchange.revision = revision;
      return this.#serveAlone(message, exchange);
    }
    if (method === "initialize" && header(SESSION_ID) === undefined) return this.#open(message, exchange);
    this.#inSession(exchange, message, (session) => {
      const receive = (): void => {
        exchange.message = message;
        exchange.resumption = session.streams;
        this.#answer(session.connection.receive(message, exchange), exchange, session.connection, session);
      };
      this.#after(exchange, () => this.#sessions.relay(session, message), receive);
    });
  }

  /** A request that stands alone is a conversation of its own; a modern one ends when its client goes away. */
  #serveAlone(message: unknown, exchange: HttpExchange): void {
    const connection = this.#server.connect(exchange);
    const reply = connection.receive(message, exchange);
    if (exchange.revision === undefined && reply instanceof Promise) {
      exchange.onDisconnect(() => connection.close("The client went away."));
    }
    this.#answer(reply, exchange, connection);
  }

  #open(message: unknown, exchange: HttpExchange): void {
    const session = this.#sessions.create(exchange.principal);
    const { connection } = session;
    const reply = connection.receive(message, exchange);
    const { agreement } = connection;
    if (agreement === undefined) return this.#answer(reply, exchange, connection);
    this.#after<HttpSession>(
      exchange,
      () => this.#sessions.add(session, agreement),
      ({ id }) => {
        exchange.headers[SESSION_ID] = id;
        this.#startTicking();
        this.#answer(reply, exchange, connection, session);
      },
    );
  }

  /** Goes on with what `produce` gives, which may have to wait for a store; says what is wrong where it fails. */
  #after<Value>(
    exchange: HttpExchange,
    produce: () => Value | Promise<Value>,
    use: (value: Awaited<Value>) => void,
  ): void {
    const done = settle(
      produce,
      (value) => use(value as Awaited<Value>),
      (error) => refuseFor(exchange, error),
    );
    if (!(done instanceof Promise)) return;
    this.#waiting.add(done);
    void done.finally(() => this.#waiting.delete(done));
  }

  #answer(
    reply: Reply,
    exchange: HttpExchange,
    connection: TransportConnection,
    session?: HttpSession,
  ): void {
    if (!(reply instanceof Promise)) {
      if (reply === undefined) exchange.respond(202);
      else void exchange.finish(reply);
      if (session === undefined) connection.close();
      return;
    }
    if (session !== undefined) session.active++;
    const timer = this.#hasOwnTimers ? setInterval(() => exchange.keepAlive(), KEEP_ALIVE_MS) : undefined;
    const over = (): void => {
      clearInterval(timer);
      this.#pending.delete(pending);
      if (session === undefined) return connection.close();
      session.active--;
      this.#sessions.touch(session);
    };
    const done = reply.then((answer) => {
      const sent =
        answer === undefined && isAcknowledged(exchange.message)
          ? exchange.respond(202)
          : exchange.finish(answer);
      return sent === undefined ? over() : sent.then(over);
    });
    const pending: Pending = { exchange, connection, done };
    this.#pending.add(pending);
    exchange.onDisconnect(() => exchange.abandon());
    this.#startTicking();
  }

  /** Goes on with the legacy session that a request belongs to; where there is none, says so whatever the message. */
  #inSession(exchange: HttpExchange, message: unknown, use: (session: HttpSession) => void): void {
    const named = exchange.header(SESSION_ID);
    const version = exchange.header(VERSION);
    if (version !== undefined && findRevision(version, "legacy") === undefined)
      return refuseVersion(exchange);
    if (named === undefined) return refuseWithoutSession(exchange, message);
    this.#after<HttpSession | undefined>(
      exchange,
      () => this.#sessions.find(named, exchange.principal),
      (session) => {
        if (session === undefined) {
          return refuse(exchange, 404, "There is no such session; it may have ended. Initialize again.");
        }
        this.#sessions.touch(session);
        this.#startTicking();
        use(session);
      },
    );
  }

  /** Runs while there is anything to keep alive, or to end. */
  #startTicking(): void {
    if (this.#ticker !== undefined || this.#hasOwnTimers) return;
    const { sessionIdleMs } = this.#server.limits;
    const every = Math.min(KEEP_ALIVE_MS, sessionIdleMs / SWEEPS_PER_IDLE_TIME);
    this.#ticker = setInterval(() => {
      for (const { exchange } of this.#pending) exchange.keepAlive();
      this.#sessions.keepAlive();
      this.#sessions.forgetIdle(Date.now() - sessionIdleMs);
      if (this.#pending.size + this.#sessions.size > 0) return;
      clearInterval(this.#ticker);
      this.#ticker = undefined;
    }, every);
    this.#ticker.unref();
  }
}

/** True for what asks for nothing, such as the answers of a client that is asked. */
function isAcknowledged(message: unknown): boolean {
  if (message === undefined) return false;
  return [message].flat().every((each) => Object(each).id === undefined || Object(each).method === undefined);
}

function refuseVersion(exchange: HttpExchange): void {
  const version = exchange.header(VERSION) ?? "";
  const problem = findRevision(version)
    ? `Batches are not part of ${version}; send one message at a time.`
    : `MCP-Protocol-Version "${version.slice(0, 64)}" is not supported.`;
  refuse(exchange, 400, problem);
}

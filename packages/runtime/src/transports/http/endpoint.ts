import type { Drainable, PendingResponse, StatelessConnection } from "../transport.js";
import type { Server } from "../../server.js";
import type { Params } from "../../protocol/jsonrpc.js";
import { isModern } from "../../protocol/is-modern.js";
import { drain, SHUTTING_DOWN } from "../drain.js";
import { findRevision, UNNAMED_HTTP_REVISION } from "../../protocol/revisions.js";
import { KEEP_ALIVE_INTERVAL_MS } from "./exchange/event-text.js";
import { readMessage } from "./exchange/body.js";
import type { Endpoint, ExchangeHandler, HttpExchange } from "./exchange/exchange.js";
import { withAccessControl } from "./access.js";
import type { AccessOptions } from "./host-and-origin.js";
import { reject, rejectFor } from "./exchange/rejection.js";
import { readSessionId, rejectVersion, SESSION_ID, VERSION } from "./legacy-headers.js";
import type { HttpSession } from "./sessions/session.js";
import { HttpSessions } from "./sessions/sessions.js";
import { acceptsResponse } from "./exchange/media-types.js";
import { servePage, varyByAccept, wantsPage } from "./page/serve-page.js";

/** The minimum number of sweeps for expired sessions within the idle timeout. */
const MIN_SWEEPS_PER_IDLE_TIMEOUT = 4;

export interface EndpointOptions extends AccessOptions {
  /** Whether to use separate timers for each request, for platforms where one request cannot use the streams of another. */
  requestTimers?: boolean | undefined;
}

/** Returns whether a request is about tasks according to its headers, which must agree with its body. */
const isForTasks = (header: HttpExchange["header"]): boolean =>
  header("mcp-method")?.startsWith("tasks/") === true;

/** The session of a request, unless the request was rejected. */
type FoundSession = HttpSession | undefined;

/** A request in progress. */
interface Pending {
  readonly exchange: HttpExchange;
  readonly connection: Drainable;
  readonly done: Promise<void>;
  /** When it arrived, as in `performance.now()`. */
  readonly arrivedAt: number;
}

/**
 * The age in milliseconds at which a request may be kept alive. A comment turns the response into a stream, which has no
 * status, so that one that arrives just before the timer fires must not receive one.
 */
const MIN_KEPT_ALIVE_AGE_MS = 5000;

/**
 * Streamable HTTP, independent of the platform that carries requests and responses. Modern requests are stateless,
 * legacy ones belong to a session; both use the same URL.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#streamable-http
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
export class HttpEndpoint implements Endpoint {
  readonly handle: ExchangeHandler;
  readonly #server: Server;
  readonly #stateless: StatelessConnection;
  readonly #sessions: HttpSessions;
  /** The methods that are served. Methods other than POST are about sessions. */
  readonly #methods: string;
  readonly #pending = new Set<Pending>();
  /** Requests that wait for a store to find their session. */
  readonly #waiting = new Set<Promise<void>>();
  readonly #hasOwnTimers: boolean;
  readonly #hasPage: boolean;
  #keepAliveTimer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(server: Server, options: EndpointOptions = {}) {
    this.#server = server;
    this.#hasOwnTimers = options.requestTimers ?? false;
    this.#hasPage = server.http.page !== false;
    const handle = withAccessControl(server, options, (exchange) => this.#serve(exchange));
    // Browsers have no token. The page shows only what a caller without one may see.
    const page = withAccessControl(server, options, (exchange) => this.#serve(exchange), { isOpen: true });
    this.handle =
      server.auth === undefined
        ? handle
        : (exchange) => (this.#isForPage(exchange) ? page : handle)(exchange);
    this.#stateless = server.acceptStateless();
    this.#sessions = new HttpSessions(server);
    this.#methods =
      server.http.sessions === false ? "POST" : server.sendsMessages ? "GET, POST, DELETE" : "POST, DELETE";
  }

  /** The number of open legacy sessions. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** The number of requests in progress. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Waits for calls and tasks in progress, for as long as the limits allow, then ends sessions and streams. Until then
   * clients may request their tasks, but nothing else.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const { connection } of this.#pending) connection.finish();
    const { limits, drainableTasks } = this.#server;
    const listConnections = () => new Set(Array.from(this.#pending, ({ connection }) => connection));
    await drain(limits.drainTimeoutMs, this.#waitForResponses(), listConnections, drainableTasks);
    clearInterval(this.#keepAliveTimer);
    this.#sessions.forgetAll();
  }

  async #waitForResponses(): Promise<void> {
    const waitForAll = async (): Promise<void> => {
      while (this.#pending.size + this.#waiting.size > 0) {
        await Promise.all([...this.#waiting, ...Array.from(this.#pending, ({ done }) => done)]);
      }
    };
    await waitForAll();
    await this.#server.drainableTasks?.whenReported();
    await waitForAll();
  }

  #serve(exchange: HttpExchange): void {
    const { method, header, headers } = exchange;
    if (this.#isClosing && !isForTasks(header)) return reject(exchange, 503, SHUTTING_DOWN);
    if (method === "POST") {
      this.#post(exchange).catch((error: unknown) => rejectFor(exchange, error));
      return;
    }
    const isSessionMethod = method === "GET" || method === "DELETE";
    const isLegacy = !isModern("", {}, header) && (header(SESSION_ID) ?? header(VERSION)) !== undefined;
    if (isSessionMethod && isLegacy && this.#methods !== "POST")
      return this.#track(exchange, this.#serveSession(exchange));
    if (this.#isForPage(exchange)) return this.#track(exchange, servePage(exchange, this.#server));
    if (this.#hasPage && method === "GET") varyByAccept(exchange);
    headers.allow = isSessionMethod ? "POST" : this.#methods;
    reject(exchange, 405, "Use POST.");
  }

  /** Returns whether a request is from a browser, and the server has a page for it. */
  #isForPage(exchange: HttpExchange): boolean {
    const { header } = exchange;
    return this.#hasPage && (header(SESSION_ID) ?? header(VERSION)) === undefined && wantsPage(exchange);
  }

  async #serveSession(exchange: HttpExchange): Promise<void> {
    const id = readSessionId(exchange, undefined);
    if (id === undefined) return;
    const session = await this.#sessions.find(id, exchange.principal);
    if (!this.#useSession(session, exchange)) return;
    if (exchange.method === "DELETE") {
      await this.#sessions.end(session);
      return exchange.respond(204);
    }
    if (session.streams !== undefined) {
      return session.streams.resume(exchange, () => this.#sessions.touch(session));
    }
    exchange.headers.allow = "POST";
    reject(exchange, 405, "Use POST.");
  }

  async #post(exchange: HttpExchange): Promise<void> {
    if (!acceptsResponse(exchange)) {
      return reject(exchange, 406, "Accept must allow application/json or text/event-stream.");
    }
    const message = await readMessage(exchange, this.#server.limits.maxBodyBytes);
    if (message === undefined) return;
    const { header } = exchange;
    // A value that is not an object has no members.
    const { method: given, params } = Object(message) as { method?: unknown; params?: unknown };
    const method = typeof given === "string" ? given : "";
    if (this.#isClosing && isForTasks(header) && !method.startsWith("tasks/")) {
      return reject(exchange, 503, SHUTTING_DOWN);
    }
    if (!Array.isArray(message) && isModern(method, Object(params) as Params, header)) {
      const reply = this.#stateless.receive(message, exchange);
      // A modern request ends when its client disconnects.
      if (reply instanceof Promise) exchange.onDisconnect(() => this.#stateless.disconnect(exchange));
      return this.#respond(reply, exchange, this.#stateless);
    }
    if (this.#methods === "POST") return this.#serveWithoutSession(message, exchange);
    if (method === "initialize" && header(SESSION_ID) === undefined) {
      return this.#track(exchange, this.#open(message, exchange));
    }
    const found = this.#findSession(message, exchange);
    if (!(found instanceof Promise)) return this.#receiveInSession(message, exchange, found);
    const received = found.then((session) => this.#receiveInSession(message, exchange, session));
    this.#track(exchange, received);
  }

  /** Serves a legacy client without a session. Only its revision is known. */
  #serveWithoutSession(message: unknown, exchange: HttpExchange): void {
    const revision = findRevision(exchange.header(VERSION) ?? UNNAMED_HTTP_REVISION.id, "legacy");
    if (revision === undefined) return rejectVersion(exchange);
    exchange.revision = revision;
    this.#respond(this.#stateless.receive(message, exchange), exchange, this.#stateless);
  }

  async #open(message: unknown, exchange: HttpExchange): Promise<void> {
    const opened = this.#sessions.create(exchange.principal);
    const { connection } = opened;
    const reply = connection.receive(message, exchange);
    const { agreement } = connection;
    if (agreement === undefined) {
      return this.#respond(reply, exchange, connection, () => connection.close());
    }
    const session = await this.#sessions.add(opened, agreement);
    exchange.headers[SESSION_ID] = session.id;
    this.#startKeepAlive();
    this.#respondInSession(reply, exchange, session);
  }

  /**
   * Finds the session of a message, and forwards the message if it concerns other processes. Returns a promise only if a
   * store must be used, since messages are handled in the order in which they arrive. Without a session, responds with
   * an error and returns undefined.
   */
  #findSession(message: unknown, exchange: HttpExchange): FoundSession | Promise<FoundSession> {
    const id = readSessionId(exchange, message);
    if (id === undefined) return undefined;
    const enter = (session: FoundSession): FoundSession | Promise<FoundSession> => {
      if (!this.#useSession(session, exchange)) return undefined;
      return this.#sessions.relay(session, message)?.then(() => session) ?? session;
    };
    const found = this.#sessions.find(id, exchange.principal);
    return found instanceof Promise ? found.then(enter) : enter(found);
  }

  /** Serves a message in its session. Does nothing without a session, since the request was rejected. */
  #receiveInSession(message: unknown, exchange: HttpExchange, session: FoundSession): void {
    if (session === undefined) return;
    exchange.message = message;
    exchange.resumption = session.streams;
    this.#respondInSession(session.connection.receive(message, exchange), exchange, session);
  }

  /** Counts a request that waits for a store among those in progress. */
  #track(exchange: HttpExchange, work: Promise<void>): void {
    const done = work.catch((error: unknown) => rejectFor(exchange, error));
    this.#waiting.add(done);
    void done.finally(() => this.#waiting.delete(done));
  }

  #respondInSession(reply: PendingResponse, exchange: HttpExchange, session: HttpSession): void {
    session.active++;
    this.#respond(reply, exchange, session.connection, () => {
      session.active--;
      this.#sessions.touch(session);
    });
  }

  /** Sends the response to a request, now or when it is known, and then calls `onEnd`. */
  #respond(reply: PendingResponse, exchange: HttpExchange, connection: Drainable, onEnd?: () => void): void {
    if (!(reply instanceof Promise)) {
      if (reply === undefined) exchange.respond(202);
      else void exchange.finish(reply);
      return onEnd?.();
    }
    const timer = this.#hasOwnTimers
      ? setInterval(() => exchange.keepAlive(), KEEP_ALIVE_INTERVAL_MS)
      : undefined;
    const onDone = (): void => {
      clearInterval(timer);
      this.#pending.delete(pending);
      onEnd?.();
    };
    const done = reply.then((response) => {
      const sent =
        response === undefined && exchange.needsNoResponse
          ? exchange.respond(202)
          : exchange.finish(response);
      return sent === undefined ? onDone() : sent.then(onDone);
    });
    const pending: Pending = { exchange, connection, done, arrivedAt: performance.now() };
    this.#pending.add(pending);
    exchange.onDisconnect(() => exchange.abandon());
    this.#startKeepAlive();
  }

  /** Records that a request uses a session. Without a session, responds with an error and returns false. */
  #useSession(session: HttpSession | undefined, exchange: HttpExchange): session is HttpSession {
    if (session === undefined) {
      reject(exchange, 404, "There is no such session. It may have ended. Initialize again.");
      return false;
    }
    this.#sessions.setPrincipal(session, exchange.principal);
    this.#sessions.touch(session);
    this.#startKeepAlive();
    return true;
  }

  /** Starts a timer, which runs while there is a session or stream to keep alive or to end. */
  #startKeepAlive(): void {
    if (this.#keepAliveTimer !== undefined || this.#hasOwnTimers) return;
    const { sessionIdleTimeoutMs } = this.#server.limits;
    const intervalMs = Math.min(KEEP_ALIVE_INTERVAL_MS, sessionIdleTimeoutMs / MIN_SWEEPS_PER_IDLE_TIMEOUT);
    this.#keepAliveTimer = setInterval(() => {
      const before = performance.now() - MIN_KEPT_ALIVE_AGE_MS;
      for (const { exchange, arrivedAt } of this.#pending)
        if (!exchange.canRespondWithStatus || arrivedAt <= before) exchange.keepAlive();
      this.#sessions.keepAlive();
      this.#sessions.forgetIdle(Date.now() - sessionIdleTimeoutMs);
      if (this.#pending.size + this.#sessions.size > 0) return;
      clearInterval(this.#keepAliveTimer);
      this.#keepAliveTimer = undefined;
    }, intervalMs);
    this.#keepAliveTimer.unref();
  }
}

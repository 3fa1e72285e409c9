/**
 * Routes of the author's own, such as the page that a login comes back to, or a webhook.
 * @module
 */
import type { Route, RouteHandler, RouteHost, RouteName, Routes, ServedRoutes } from "../../api/routes.js";
import { createReport, publicMessage } from "../../connection/internal-errors.js";
import { drain } from "../drain.js";
import type { ExchangeHandler, HttpExchange } from "./exchange/exchange.js";
import { BodyFailure, relayOf } from "./relay.js";

export type { Route, RouteCaller, RouteHandler, RouteName, Routes } from "../../api/routes.js";

/** Headers that have done their work once it is known who calls. */
const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "dpop", "proxy-authorization"]);

/** A route as it was read. */
interface NamedRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Only those are served who may call tools. */
  readonly auth: boolean;
  readonly handle: RouteHandler;
}

/** A request that is being answered. */
interface Running {
  readonly done: Promise<void>;
  stop(): void;
  abandon(): void;
}

/**
 * Routes for `defineServer({ http: { routes } })`. `Host`, `Origin` and the size of the body are checked as everywhere, and
 * only those are served who may call tools, unless a route says `auth: false`. Paths are compared letter by letter; for more
 * than that, mount the server in a framework.
 *
 * @throws TypeError for what is no route
 * @example
 * routes({
 *   "POST /reindex": async (request, { principal }) => Response.json(await index.rebuild(principal)),
 *   "GET /callback": { auth: false, handle: (request) => new Response(finishLogin(new URL(request.url))) },
 * })
 */
export function routes(table: Readonly<Partial<Record<RouteName, RouteHandler | Route>>>): Routes {
  const byPath = new Map<string, NamedRoute[]>();
  for (const route of readRoutes(table)) {
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  }
  return { serve: (host) => new RouteTable(byPath, host) };
}

class RouteTable implements ServedRoutes {
  readonly handlers: ReadonlyMap<string, ExchangeHandler>;
  readonly #host: RouteHost;
  readonly #running = new Set<Running>();
  #closing = false;

  constructor(byPath: ReadonlyMap<string, readonly NamedRoute[]>, host: RouteHost) {
    this.#host = host;
    this.handlers = new Map(Array.from(byPath, ([path, each]) => [path, this.#dispatch(each)]));
  }

  async close(): Promise<void> {
    this.#closing = true;
    const all = Promise.all(Array.from(this.#running, ({ done }) => done));
    await drain(this.#host.drainMs, all, () => this.#running);
  }

  /** The handler of one path: by method, each with its own rule of who may call. */
  #dispatch(named: readonly NamedRoute[]): ExchangeHandler {
    const methods = named.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    const byMethod = new Map(
      named.map((route) => [
        route.method,
        this.#host.guard((exchange) => this.#serve(route, exchange), !route.auth, methods),
      ]),
    );
    const refuseMethod = (exchange: HttpExchange): void => {
      exchange.headers.allow = methods;
      answerText(exchange, 405, `Use ${methods}.`);
    };
    const others = this.#host.guard(refuseMethod, true, methods);
    return (exchange) => {
      const { method } = exchange;
      (byMethod.get(method === "HEAD" ? "GET" : method) ?? others)(exchange);
    };
  }

  #serve(route: NamedRoute, exchange: HttpExchange): void {
    if (this.#closing) return answerText(exchange, 503, "The server is shutting down.");
    if (route.method === "GET") return this.#run(route, exchange);
    const { bodyBytes } = this.#host;
    exchange.read(bodyBytes, (body) => {
      if (body !== undefined) return this.#run(route, exchange, body);
      answerText(exchange, 413, `The body may have at most ${bodyBytes} bytes.`);
    });
  }

  #run(route: NamedRoute, exchange: HttpExchange, body?: Buffer): void {
    const gone = new AbortController();
    const request = requestOf(route, exchange, body, gone.signal);
    if (request === undefined) return answerText(exchange, 400, "The request has no valid URL.");
    exchange.onDisconnect(() => gone.abort());
    const running: Running = {
      done: this.#answer(route, exchange, request).then(() => {
        this.#running.delete(running);
      }),
      stop: () => gone.abort(),
      abandon: () => answerText(exchange, 503, "The server is shutting down."),
    };
    this.#running.add(running);
  }

  async #answer({ name, handle }: NamedRoute, exchange: HttpExchange, request: Request): Promise<void> {
    const { principal, address } = exchange;
    try {
      const response: unknown = await handle(request, { principal, address });
      if (!isResponse(response))
        throw new TypeError(`The route returned no Response (got ${typeof response}).`);
      await exchange.carry(relayOf(response, exchange));
    } catch (error) {
      const isOfBody = error instanceof BodyFailure;
      // Of a client that has gone, whatever the handler makes of it is no failure.
      if (request.signal.aborted && !isOfBody)
        return answerText(exchange, 503, "The server is shutting down.");
      const report = createReport(`route "${name}"`, isOfBody ? error.cause : error);
      this.#host.onInternalError(report);
      answerText(exchange, 500, publicMessage(report));
    }
  }
}

function readRoutes(table: object): NamedRoute[] {
  return Object.entries(table).map(([name, given]: [string, unknown]) => {
    const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/.*)$/.exec(name) ?? [];
    if (method === undefined || path === undefined) {
      throw new TypeError(`routes: a route is named as "GET /callback" (got ${JSON.stringify(name)})`);
    }
    const { handle, auth = true } = (
      typeof given === "function" ? { handle: given } : Object(given)
    ) as Route;
    if (typeof handle !== "function" || typeof auth !== "boolean") {
      throw new TypeError(
        `routes: ${JSON.stringify(name)} must be a function, or { auth: false, handle: a function }`,
      );
    }
    return { name, method, path, auth, handle };
  });
}

/** A request by its URL as the client knows it, as far as that can be told; undefined where there can be none. */
function requestOf(
  { auth }: NamedRoute,
  exchange: HttpExchange,
  body: Buffer | undefined,
  signal: AbortSignal,
): Request | undefined {
  const { scheme, header, target, method } = exchange;
  const path = target.startsWith("/") ? target : target.replace(/^\w+:\/\/[^/]*/, "");
  try {
    return new Request(`${scheme}://${header("host") ?? ""}${path}`, {
      method,
      headers: [...exchange.fields()].filter(([name]) => !auth || !CREDENTIALS.has(name.toLowerCase())),
      body: body ?? null,
      signal,
    });
  } catch {
    return undefined;
  }
}

/** Responses of other implementations are as good. */
function isResponse(given: unknown): given is Response {
  const { status, headers } = Object(given) as Partial<Response>;
  return typeof status === "number" && status >= 200 && typeof headers?.get === "function";
}

function answerText(exchange: HttpExchange, status: number, text: string): void {
  exchange.headers["content-type"] = "text/plain; charset=utf-8";
  exchange.respond(status, `${text}\n`);
}

/**
 * Custom routes, such as the page to which a login returns, or a webhook.
 * @module
 */
import type { Route, RouteHandler, RouteName, Routes } from "../../api/routes.js";
import { checkOptionNames } from "../../data/options/check-option-names.js";
import { createReport, formatPublicMessage } from "../../data/results/internal-error.js";
import { drain, SHUTTING_DOWN } from "../drain.js";
import type { BodyBytes, ExchangeHandler, HttpExchange } from "./exchange/exchange.js";
import { BodyFailure, createResponseSender } from "./exchange/relay.js";
import type { RouteHost, ServableRoutes, ServedRoutes } from "./servable-routes.js";

export type { Route, RouteCaller, RouteHandler, RouteName, Routes } from "../../api/routes.js";

/** Headers with credentials, which are removed after authentication. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  "authorization",
  "dpop",
  "proxy-authorization",
  "x-api-key",
]);

/** A parsed route. */
interface NamedRoute {
  readonly name: RouteName;
  readonly method: string;
  readonly path: string;
  /** Whether the caller must authenticate as for MCP. */
  readonly auth: boolean;
  readonly handle: RouteHandler;
}

/** A request in progress. */
interface RunningRequest {
  readonly done: Promise<void>;
  stop(): void;
  abandon(): void;
}

/**
 * Creates routes for `defineServer({ http: { routes } })`. The server checks `Host`, `Origin`, credentials, and the size
 * of the body as for MCP; a route with `auth: false` needs no credentials. Paths are compared exactly. For more, mount
 * the server in a framework.
 *
 * @throws TypeError for an invalid route
 * @example
 * routes({
 *   "POST /reindex": async (request, { principal }) => Response.json(await index.rebuild(principal)),
 *   "GET /callback": { auth: false, handle: (request) => new Response(finishLogin(new URL(request.url))) },
 * })
 */
export function routes(table: Readonly<Partial<Record<RouteName, RouteHandler | Route>>>): Routes {
  const byPath = new Map<string, NamedRoute[]>();
  const named = readRoutes(table);
  for (const route of named) {
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  }
  const servable: ServableRoutes = {
    names: named.map(({ name }) => name),
    serve: (host) => new RouteTable(byPath, host),
  };
  return servable;
}

/**
 * Creates the route with which a server proves to OpenAI's directory that its domain is yours. It responds with the token
 * alone, to anyone.
 *
 * @param token the token that OpenAI shows when you submit the server. Without one, there is no route
 * @throws TypeError if the token contains spaces or line breaks
 * @example
 * defineServer({ http: { routes: routes(openAiChallenge(process.env["OPENAI_APPS_CHALLENGE"])) } })
 * @see https://developers.openai.com/plugins/deploy/submission-errors
 */
export function openAiChallenge(token: string | undefined): Readonly<Partial<Record<RouteName, Route>>> {
  if (!token) return {};
  if (/\s/.test(token))
    throw new TypeError("openAiChallenge: the token must not contain spaces or line breaks");
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  return {
    "GET /.well-known/openai-apps-challenge": { auth: false, handle: () => new Response(token, { headers }) },
  };
}

class RouteTable implements ServedRoutes {
  readonly handlers: ReadonlyMap<string, ExchangeHandler>;
  readonly #host: RouteHost;
  readonly #running = new Set<RunningRequest>();
  #isClosing = false;

  constructor(byPath: ReadonlyMap<string, readonly NamedRoute[]>, host: RouteHost) {
    this.#host = host;
    this.handlers = new Map(Array.from(byPath, ([path, each]) => [path, this.#createHandler(each)]));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const all = Promise.all(Array.from(this.#running, ({ done }) => done));
    await drain(this.#host.drainTimeoutMs, all, () => this.#running);
  }

  /** Creates the handler of one path. Each method has its own access rule. */
  #createHandler(named: readonly NamedRoute[]): ExchangeHandler {
    const methods = named.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    const byMethod = new Map(
      named.map((route) => [
        route.method,
        this.#host.guard((exchange) => this.#serve(route, exchange), !route.auth, methods),
      ]),
    );
    const rejectMethod = (exchange: HttpExchange): void => {
      exchange.headers.allow = methods;
      respondWithText(exchange, 405, `Use ${methods}.`);
    };
    const others = this.#host.guard(rejectMethod, true, methods);
    return (exchange) => {
      const { method } = exchange;
      (byMethod.get(method === "HEAD" ? "GET" : method) ?? others)(exchange);
    };
  }

  #serve(route: NamedRoute, exchange: HttpExchange): void {
    if (this.#isClosing) return respondWithText(exchange, 503, SHUTTING_DOWN);
    if (route.method === "GET") return this.#run(route, exchange);
    const { maxBodyBytes } = this.#host;
    exchange.read(maxBodyBytes, (body) => {
      if (body !== undefined) return this.#run(route, exchange, body);
      respondWithText(exchange, 413, `The body may be at most ${maxBodyBytes} bytes.`);
    });
  }

  #run(route: NamedRoute, exchange: HttpExchange, body?: BodyBytes): void {
    const disconnected = new AbortController();
    const request = toRequest(route, exchange, body, disconnected.signal);
    if (request === undefined) return respondWithText(exchange, 400, "The request has no valid URL.");
    exchange.onDisconnect(() => disconnected.abort());
    const running: RunningRequest = {
      done: this.#respond(route, exchange, request).then(() => {
        this.#running.delete(running);
      }),
      stop: () => disconnected.abort(),
      abandon: () => respondWithText(exchange, 503, SHUTTING_DOWN),
    };
    this.#running.add(running);
  }

  async #respond({ name, handle }: NamedRoute, exchange: HttpExchange, request: Request): Promise<void> {
    const { principal, address } = exchange;
    try {
      const response: unknown = await handle(request, { principal, address });
      if (!isResponse(response))
        throw new TypeError(`The route returned no Response (got ${typeof response}).`);
      await exchange.sendWith(createResponseSender(response, exchange));
    } catch (error) {
      const isBodyError = error instanceof BodyFailure;
      // If the client has disconnected, an error of the handler is not a failure.
      if (request.signal.aborted && !isBodyError) return respondWithText(exchange, 503, SHUTTING_DOWN);
      const report = createReport(`route "${name}"`, isBodyError ? error.cause : error);
      this.#host.onInternalError(report);
      respondWithText(exchange, 500, formatPublicMessage(report));
    }
  }
}

function readRoutes(table: object): NamedRoute[] {
  return Object.entries(table).map(([name, given]: [string, unknown]) => {
    const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/.*)$/.exec(name) ?? [];
    if (method === undefined || path === undefined) {
      throw new TypeError(`routes: name each route like "GET /callback" (got ${JSON.stringify(name)})`);
    }
    const route = (typeof given === "function" ? { handle: given } : Object(given)) as Route;
    const { handle, auth = true } = route;
    if (typeof handle !== "function" || typeof auth !== "boolean") {
      throw new TypeError(
        `routes: ${JSON.stringify(name)} must be a function, or { auth: false, handle: a function }`,
      );
    }
    checkOptionNames<Route>(`routes: ${JSON.stringify(name)}`, route, { auth: true, handle: true });
    return { name: name as RouteName, method, path, auth, handle };
  });
}

/** Creates a request with the URL that the client used, as far as it is known; undefined for an invalid URL. */
function toRequest(
  { auth }: NamedRoute,
  exchange: HttpExchange,
  body: BodyBytes | undefined,
  signal: AbortSignal,
): Request | undefined {
  const { scheme, header, target, method } = exchange;
  const path = target.startsWith("/") ? target : target.replace(/^\w+:\/\/[^/]*/, "");
  try {
    return new Request(`${scheme}://${header("host") ?? ""}${path}`, {
      method,
      headers: [...exchange.listFields()].filter(([name]) => !auth || !CREDENTIALS.has(name.toLowerCase())),
      body: body ?? null,
      signal,
    });
  } catch {
    return undefined;
  }
}

/** Returns whether a value is a response, of any implementation. */
function isResponse(value: unknown): value is Response {
  const { status, headers } = Object(value) as Partial<Response>;
  return typeof status === "number" && status >= 200 && typeof headers?.get === "function";
}

function respondWithText(exchange: HttpExchange, status: number, text: string): void {
  exchange.headers["content-type"] = "text/plain; charset=utf-8";
  exchange.respond(status, `${text}\n`);
}

import type { Auth } from "../auth/authenticator.js";
import type { PrincipalInput } from "./caller.js";
import type { Limits } from "./limits.js";
import type { LogLevel, LogSink } from "./log.js";
import type { Middleware } from "./middleware.js";
import type { Notifier } from "./notifier.js";
import type { Observer } from "./observer.js";
import type { Routes } from "./routes.js";
import type { TrustedProxies } from "../transports/http/exchange/trusted-proxies.js";
import type { Profile, RateLimit, UnknownArguments } from "../manifest.js";
import type { RateLimitOf } from "./rate-limit.js";
import type { Sharing } from "./store.js";
import type { TaskExecutor } from "./task-executor.js";
import type { Icon } from "../protocol/specification.js";

/** What `src/server.ts` may say about the whole server. Everything is optional. */
export interface ServerConfig {
  /** Defaults to `name` of package.json. */
  name?: string;
  title?: string;
  /** Defaults to `version` of package.json. */
  version?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** Advice for the model on how the server's tools belong together. */
  instructions?: string;
  /**
   * Instances of decorated classes whose constructors need something. Other classes are constructed by the runtime. At the
   * end, those with `Symbol.asyncDispose` or `Symbol.dispose` are disposed of, the last one first; so are objects that are
   * here for nothing else.
   */
  provide?: readonly object[];
  /**
   * Which clients the listed input schemas are written for. Read when the project is built, so it must be
   * written as a string. Default `"portable"`.
   */
  profile?: Profile;
  limits?: Partial<Limits>;
  http?: HttpConfig;
  /**
   * Who may call over HTTP: `oauth(…)` or `apiKeys(…)` of `@tenon/runtime/auth`. Default: everybody who can connect.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  auth?: Auth;
  stdio?: StdioConfig;
  /**
   * How the processes that serve the same clients share what outlives a request: sessions, streams to take up again,
   * subscriptions, tasks, rate limits. `redis(…)` of `@tenon/runtime/redis`, `workers()` of `@tenon/runtime/workers` for
   * those of one machine, or `shared(store)` of `@tenon/runtime/store`. Default: the memory of this process.
   *
   * @example
   * store: redis(process.env.REDIS_URL)
   */
  store?: Sharing | undefined;
  /**
   * Which process works on tasks: `bullmq(…)` of `@tenon/runtime/bullmq`, or a `TaskExecutor` of your own for another queue.
   * Needs a `store`. Default: the process that has the call.
   *
   * @example
   * tasks: bullmq(process.env.REDIS_URL, { attempts: 3 })
   */
  tasks?: TaskExecutor;
  /**
   * What goes around every handler, the outermost first. Scopes are checked before it; see `authorization`.
   *
   * @example
   * use: [timed, only(Files, readOnlyAtNight)]
   */
  use?: readonly Middleware[];
  /**
   * How often one caller may call handlers, all of them together: a principal (by issuer and subject, whichever the
   * client), an address where there is none (of IPv6, its network of /64), over stdio a connection. What is beyond it is
   * refused before anything else looks at the call: over HTTP with 429 and `Retry-After`, elsewhere in words. A decorator
   * can set a limit of its own, and both hold. Default: none.
   *
   * @example
   * rateLimit: { calls: 100, windowMs: 60_000 }
   */
  rateLimit?: RateLimit | RateLimitOf;
  /** How long clients may keep a list that cannot change while the server runs, in milliseconds. Default one minute. */
  listTtlMs?: number;
  /** Cache hints of single lists, where the defaults do not fit. */
  cache?: CacheOptionsByList;
  /** The most entries in one list reply; what is left follows on further pages. Default 1000. */
  pageSize?: number;
  /**
   * What to do with arguments of tools and prompts that no schema names. Default `"reject"`, which tells the caller
   * the nearest name there is. A tool may decide otherwise: `@Tool({ unknownArguments })`.
   */
  unknownArguments?: UnknownArguments;
  /**
   * Whether results are held to what was listed before they leave: data to its output schema, content blocks to their
   * kinds, base64, MIME types, URIs and roles to their forms. Default `"enforce"`.
   */
  outputChecks?: OutputChecks;
  /** What becomes of control characters in text that is sent. Default `"remove"`. */
  sanitize?: Sanitize;
  /**
   * Where problems and events go: as text to stderr from a level on, nowhere (`"off"`), to `jsonLog()` of
   * `@tenon/runtime/log`, or to a function of your own. Default `"info"`.
   */
  log?: LogLevel | "off" | LogSink;
  /**
   * Who sees every request, refused ones included: `audit()` of `@tenon/runtime/log`, `telemetry()` of
   * `@tenon/runtime/telemetry`, `metrics()` of `@tenon/runtime/metrics`, or an observer of your own.
   */
  observe?: readonly Observer[];
  /** How code outside of handlers says that something changed; see `createNotifier`. */
  notifier?: Notifier;
}

/**
 * What becomes of a result that is not what was listed:
 *
 * - `enforce`: it never reaches the client, which gets an internal error under a reference; stderr says under the same
 *   reference what is wrong, with the path and the value
 * - `log`: it is sent as it is, and stderr says what is wrong
 * - `off`: nothing is checked
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
 */
export type OutputChecks = "enforce" | "log" | "off";

/**
 * What becomes of characters that nobody sees and that change what a terminal or a model makes of a text: in the text that
 * tools, prompts and resources return, in errors, log messages, reports of progress and questions to the user.
 *
 * - `remove`: they are left out, and with them the rest of a terminal's command (`ESC [31m`)
 * - `escape`: each is written out, as `\u001b`
 * - `off`: text is sent as it is, for tools whose output is meant for a terminal
 *
 * They are the controls of ASCII and Latin-1, the embeddings, overrides and isolates of the direction (U+202A to U+202E,
 * U+2066 to U+2069), and the invisible letters U+E0000 to U+E007F. Tabs and line ends stay; a carriage return alone becomes
 * a line end. What languages need stays: marks of the direction (U+200E, U+200F, U+061C), joiners and non-joiners, spaces
 * without width, variants, emoji and flags. Text in two directions may be set out differently without its isolates.
 *
 * Data is never changed: `structuredContent` holds what the handler returned, and wherever text is JSON, the characters are
 * written out in it as JSON does, so that it says the same. Bytes are never looked at.
 */
export type Sanitize = "remove" | "escape" | "off";

/**
 * How long, and by whom, a result may be kept.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export interface CacheOptions {
  /** In milliseconds; 0 asks clients to fetch it anew each time. */
  ttlMs?: number;
  /** `"private"` whenever the result depends on the caller: then nobody else may be given it. */
  cacheScope?: "public" | "private";
}

/** The lists that carry cache hints. A list whose entries can change is `private` with `ttlMs` 0 by default. */
export interface CacheOptionsByList {
  discover?: CacheOptions;
  tools?: CacheOptions;
  prompts?: CacheOptions;
  resources?: CacheOptions;
  resourceTemplates?: CacheOptions;
}

/**
 * What orchestrators and load balancers ask. They call by address and show no credentials, so these paths are answered
 * whatever `Host` and whoever asks, and tell nothing but yes (200) or no (503).
 */
export interface HealthConfig {
  /** Says yes while the process answers at all. Default `/healthz`. */
  livePath?: string;
  /** Says whether the server takes calls: no once it has been told to stop, and while `ready` does not say `true`. Default `/readyz`. */
  readyPath?: string;
  /**
   * Whether what the server needs is there. Runs at most once a second, however often anybody asks; no when it throws,
   * or takes more than five seconds.
   *
   * @example
   * ready: async () => (await db.query("select 1")).length === 1
   */
  ready?: () => boolean | Promise<boolean>;
  /**
   * How long the server goes on as before once it has been told to stop, but for `readyPath`: so long as it takes until
   * nobody is sent to it any more. Comes on top of `limits.drainMs`. Default 0; in Kubernetes, 5000 is usual.
   */
  shutdownDelayMs?: number;
}

/** Who may call over Streamable HTTP, besides programs and pages on this machine. */
export interface HttpConfig {
  /** Values of the `Host` header to accept, such as `"mcp.example.com"`; with a port only where one is given. */
  allowedHosts?: readonly string[];
  /** Values of the `Origin` header to accept, such as `"https://app.example.com"`. */
  allowedOrigins?: readonly string[];
  /**
   * The proxies that are believed when they say from where a request is and whether it was made by HTTPS: `ctx.address`
   * is then the nearest address that is not one of theirs. Default: none, and what such headers say is ignored.
   *
   * `X-Forwarded-Host` is never read. A proxy in front changes nothing about `allowedHosts`: name what it sends as `Host`.
   *
   * @example
   * trustedProxies: ["loopback", "10.0.0.0/8"]
   */
  trustedProxies?: TrustedProxies;
  /**
   * Where orchestrators ask whether the server is alive and ready; false answers nothing there. A handler that is mounted
   * in an application of one's own answers there only if this is set.
   */
  health?: HealthConfig | false;
  /**
   * What else is served, such as a page that a login comes back to, or a webhook: `routes({ … })` of
   * `@tenon/runtime/routes`.
   */
  routes?: Routes;
  /**
   * False serves legacy clients without sessions, as deployments of many short-lived instances need it: each
   * request stands alone, and nothing can be sent or asked outside of one. Default true.
   */
  sessions?: boolean;
  /** Also serve the transport of 2024-11-05: a stream of events at `/sse`, messages to `/messages`. */
  sse?: boolean;
  /**
   * Names on whose behalf a request comes, from what has been verified about it; `undefined` for nobody. A
   * session belongs to the principal that opened it and does not exist for any other.
   *
   * @example
   * principal: ({ header }) => users.bySession(header("x-user-session")) // "ada", or { subject: "ada", scopes: ["read"] }
   */
  principal?: (request: HttpRequestHead) => PrincipalInput | undefined | Promise<PrincipalInput | undefined>;
}

/** Over stdio, whoever started the server calls it. */
export interface StdioConfig {
  /** On whose behalf all calls are made, such as the user whose token is in the environment. Default: nobody known. */
  principal?: PrincipalInput;
}

/** A request before its body. */
export interface HttpRequestHead {
  readonly method: string;
  /** As in `Caller`. */
  readonly address: string | undefined;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
}

/**
 * Describes the server as a whole. Only needed when a class must be constructed with something, or when
 * package.json should not name the server.
 *
 * @example
 * // src/server.ts
 * export default defineServer({ instructions: "Prefer metric units.", provide: [new Weather(db)] });
 */
export function defineServer(config: ServerConfig): ServerConfig {
  return config;
}

import type { Auth } from "./auth.js";
import type { Caller, PrincipalInput } from "./caller.js";
import type { FileLinks } from "./file-links.js";
import type { HttpConfig } from "./http-config.js";
import type { Limits } from "./limits.js";
import type { LogLevel, LogSink } from "./log.js";
import type { Middleware } from "./middleware.js";
import type { Notifier } from "./notifier.js";
import type { Observer } from "./observer.js";
import type { Profile, RateLimit, UnknownArguments } from "../manifest.js";
import type { RateLimitResolver } from "./rate-limit.js";
import type { SharedStore } from "./store.js";
import type { TaskExecutor } from "./task-executor.js";
import type { Icon } from "../protocol/specification.js";

/** Configuration of the server in `src/server.ts`. Every option is optional. */
export interface ServerConfig {
  /** Name of the server. Default: `name` in package.json. */
  name?: string | undefined;
  /** Display name of the server. */
  title?: string | undefined;
  /** Version of the server. Default: `version` in package.json. */
  version?: string | undefined;
  /** Description of the server for its users. Default: `description` in package.json. */
  description?: string | undefined;
  /** HTTP or HTTPS URL of the web page of the server. */
  websiteUrl?: string | undefined;
  /** Icons of the server for user interfaces. */
  icons?: Icon[] | undefined;
  /**
   * Advice for the model on how to use the tools together: text, or a file in `src/`, whose path is relative to
   * `src/server.ts`. The build reads the file.
   *
   * @example
   * instructions: { file: "./instructions.md" }
   */
  instructions?: string | { readonly file: string } | undefined;
  /**
   * Whether clients search the tools instead of listing them all, for servers with more than about 100 tools. They then
   * see two tools: one that searches, and one that calls a tool by its name, with the same checks as a direct call.
   * `always` names tools that are listed as well. Read at build time, so it must be a literal. Default: false.
   *
   * @example
   * toolSearch: { always: ["get_order"] }
   */
  toolSearch?: boolean | { readonly always: readonly string[] } | undefined;
  /**
   * Instances of decorated classes whose constructors need arguments. Tenon constructs the other classes. On shutdown,
   * instances with `Symbol.asyncDispose` or `Symbol.dispose` are disposed of, the last one first. You can also list objects
   * without decorated methods, so that the server disposes of them.
   */
  provide?: readonly object[] | undefined;
  /**
   * Profile of the clients to which the listed input schemas are adapted. Read at build time, so it must be a string literal.
   * Default: `"portable"`.
   */
  profile?: Profile | undefined;
  /** Limits that differ from their defaults. */
  limits?: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } | undefined;
  /** Options of the HTTP transport. */
  http?: HttpConfig | undefined;
  /** Options for files in arguments and results. */
  files?: FilesConfig | undefined;
  /**
   * Authentication over HTTP: `oauth(…)` or `apiKeys(…)` from `@tenon/runtime/auth`. Default: anyone who can
   * connect can call.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  auth?: Auth | undefined;
  /** Options of the stdio transport. */
  stdio?: StdioConfig | undefined;
  /**
   * Storage that several processes share, for sessions, resumable streams, subscriptions, tasks, and rate limits:
   * `redis(…)` from `@tenon/runtime/redis`, `workers()` from `@tenon/runtime/workers` for the processes of one machine,
   * or `sharedStore(store)` from `@tenon/runtime/store`. Default: the memory of this process.
   *
   * @example
   * store: redis(process.env.REDIS_URL)
   */
  store?: SharedStore | undefined;
  /**
   * Executor of tasks: `bullmq(…)` from `@tenon/runtime/bullmq`, or your own `TaskExecutor` for another queue. Requires a
   * `store`. Default: the process that receives the call.
   *
   * @example
   * tasks: bullmq(process.env.REDIS_URL, { attempts: 3 })
   */
  tasks?: TaskExecutor | undefined;
  /**
   * Middleware of every handler, the outermost first. Scopes are checked before it, unless `authorization` is in the
   * list.
   *
   * @example
   * use: [timed, middlewareFor(Files, readOnlyAtNight)]
   */
  use?: readonly Middleware[] | undefined;
  /**
   * Rate limit for each caller, across all handlers. A caller is a principal (issuer and subject, in any client),
   * otherwise an address (IPv6: its /64 network), and over stdio a connection. Over HTTP, further calls receive 429
   * with `Retry-After`. A decorator can add its own limit. Default: none.
   *
   * @example
   * rateLimit: { calls: 100, windowMs: 60_000 }
   */
  rateLimit?: RateLimit | RateLimitResolver | undefined;
  /**
   * How long clients may cache a list that cannot change while the server runs, in milliseconds. Default: one minute.
   */
  listTtlMs?: number | undefined;
  /** Cache hints of individual lists. */
  cache?: CacheOptionsByList | undefined;
  /** Maximum number of entries in one page of a list. Default: 1000. */
  pageSize?: number | undefined;
  /**
   * How to treat arguments of tools and prompts that the schema does not declare. Default: `"reject"`, with an error that
   * names the closest argument. A tool may override it: `@Tool({ unknownArguments })`.
   */
  unknownArguments?: UnknownArguments | undefined;
  /**
   * Whether results are validated before they are sent: data against its output schema, and content against the
   * protocol. Default: `"enforce"`.
   */
  outputValidation?: OutputValidation | undefined;
  /** How to treat control characters in text. Default: `"remove"`. */
  sanitize?: Sanitize | undefined;
  /**
   * Log of problems and events: text on stderr from this level up, `"off"`, `jsonLog()` from `@tenon/runtime/log`, or
   * your own function. Default: `"info"`.
   */
  log?: LogLevel | "off" | LogSink | undefined;
  /**
   * Observers of every request, including rejected ones: `audit()` from `@tenon/runtime/log`, `telemetry()` from
   * `@tenon/runtime/telemetry`, `metrics()` from `@tenon/runtime/metrics`, or your own.
   */
  observe?: readonly Observer[] | undefined;
  /**
   * Client-specific dialects. The server sends their metadata in addition to that of the specification. `"openai"`:
   * ChatGPT's names for views, and `securitySchemes`, which are derived from scopes. Read at build time, so it must be
   * a literal. Default: none.
   *
   * @see https://developers.openai.com/plugins/reference
   */
  dialects?: readonly Dialect[] | undefined;
  /**
   * Access to skills, by the path of their folder in `skills/`. A caller who may not see a skill receives the same responses
   * as for one that does not exist. A skill without options is visible to every caller.
   *
   * @example
   * skills: { refunds: { scopes: ["orders:write"] } }
   */
  skills?: Readonly<Record<string, SkillOptions | undefined>> | undefined;
  /** Notifier for code outside handlers; see `createNotifier`. */
  notifier?: Notifier | undefined;
}

/** Access to a skill and its files. */
export interface SkillOptions {
  /** Scopes that callers need to see the skill. */
  scopes?: readonly string[] | undefined;
  /**
   * Callback: unless it returns `true`, the skill is hidden from this caller. An exception is logged and hides it, too.
   * Called for every list and read request.
   */
  enabled?: ((caller: Caller) => boolean) | undefined;
}

/** A dialect of the protocol. */
export type Dialect = "openai";

/**
 * The handling of invalid results:
 *
 * - `enforce`: the client receives an internal error with a reference; the server logs the path and the value
 * - `log`: the result is sent unchanged, and the server logs the problem
 * - `off`: nothing is validated
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
 */
export type OutputValidation = "enforce" | "log" | "off";

/**
 * The handling of invisible characters that can change how a terminal or a model reads text. It applies to text that
 * tools, prompts, and resources return, to errors, log messages, progress, and questions to the user.
 *
 * - `remove`: they are removed, including the rest of an escape sequence (`ESC [31m`)
 * - `escape`: they are escaped, for example as `\u001b`
 * - `off`: text is unchanged, for tools whose output is meant for a terminal
 *
 * The invisible characters are the control characters of ASCII and Latin-1, bidirectional embeddings, overrides, and
 * isolates (U+202A to U+202E, U+2066 to U+2069), and the tag characters U+E0000 to U+E007F. Tabs and line breaks stay; a
 * single carriage return becomes a line feed. Direction marks (U+200E, U+200F, U+061C), joiners, zero-width spaces,
 * variation selectors, emoji, and flags stay. Bidirectional text may be displayed differently without its isolates.
 *
 * Data is never changed: in JSON text, the characters are escaped, which has the same meaning. Bytes are not
 * inspected.
 */
export type Sanitize = "remove" | "escape" | "off";

/**
 * How long, and for whom, a result may be cached.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export interface CacheOptions {
  /** Lifetime in milliseconds; 0 means that clients should not cache. */
  ttlMs?: number | undefined;
  /**
   * `"private"` if the result depends on the caller, so that no other user may receive it. The server warns at start if
   * `"public"` contradicts `enabled`, `authorize`, or `scopes`.
   */
  cacheScope?: "public" | "private" | undefined;
}

/** Lists with cache hints. By default, a list whose entries can change is `private` with `ttlMs` 0. */
export interface CacheOptionsByList {
  /** The capabilities of the server (`server/discover`). */
  discover?: CacheOptions | undefined;
  /** The list of tools. */
  tools?: CacheOptions | undefined;
  /** The list of prompts. */
  prompts?: CacheOptions | undefined;
  /** The list of resources. */
  resources?: CacheOptions | undefined;
  /** The list of resource templates. */
  resourceTemplates?: CacheOptions | undefined;
  /** The list of skills. */
  skills?: CacheOptions | undefined;
}

/** Configuration of files in arguments and results. */
export interface FilesConfig {
  /**
   * Hosts from which the server downloads files that a client sends as URLs, even if the host is not on the public
   * internet, and even if the URL uses `http:`. For development and internal networks: any client can then make the server request any URL of
   * these hosts. A port is compared only if the value has one. Default: none.
   *
   * @example
   * allowedDownloadHosts: ["localhost:9000"]
   */
  allowedDownloadHosts?: readonly string[] | undefined;
  /**
   * Links to files that are too large for a result: `fileLinks(…)` from `@tenon/runtime/files`. They are used only
   * over HTTP. Default: none, so such a file causes an error.
   *
   * @example
   * links: fileLinks({ url: "https://mcp.example.com/files", folder: "files" })
   */
  links?: FileLinks | undefined;
}

/** Configuration of stdio. The caller is the user who started the server. */
export interface StdioConfig {
  /** Principal of all calls, such as the user whose token is in the environment. Default: none. */
  principal?: PrincipalInput | undefined;
}

/**
 * Describes the server. You need it only to provide instances or to change a default.
 *
 * @example
 * // src/server.ts
 * export default defineServer({ instructions: "Prefer metric units.", provide: [new Weather(db)] });
 */
export function defineServer(config: ServerConfig): ServerConfig {
  return config;
}

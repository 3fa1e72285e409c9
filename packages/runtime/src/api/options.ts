import type { RateLimit, ToolVisibility, UnknownArguments } from "../manifest.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import type { Annotations, Icon } from "../protocol/specification.js";
import type { Middleware } from "./middleware.js";
import type { Caller, Principal } from "./caller.js";
import type { Cursor, Page } from "./cursor.js";
import type { CacheOptions } from "./define-server.js";
import type { RateLimitResolver } from "./rate-limit.js";

/** Definition of a tool, prompt, or resource. Plain data, read at build time. */
export interface DefinitionOptions {
  /** Name in the protocol. Default: the name of the method. */
  name?: string | undefined;
  /** Display name. */
  title?: string | undefined;
  /** Description for the model. Default: the JSDoc of the method, or of a decorated class. */
  description?: string | undefined;
  /** Icons for user interfaces. */
  icons?: Icon[] | undefined;
  /**
   * Scopes that the caller needs, from those that `auth` in `defineServer` defines. A caller without them still sees
   * the definition, but its calls are rejected with a request for these scopes, and the resources that `list` returns
   * are hidden.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  scopes?: readonly string[] | undefined;
  /** Sent unchanged as `_meta`. */
  meta?: Record<string, unknown> | undefined;
}

/** Options that apply while the server runs. Callbacks are called on the instance of the class. */
// oxlint-disable-next-line typescript/no-explicit-any -- a decorator does not see its class, so authors pass it to type `this`
export interface RuntimeOptions<This = any> {
  /**
   * Callback: returns whether this principal may use the definition. A callback without `args` also decides whether the
   * definition is listed for the principal. A callback with `args` is called only for calls. A rejected caller receives
   * the same response as for a definition that does not exist.
   *
   * @example
   * authorize: (user) => user?.claims.tenant === "engines"
   */
  authorize?:
    | ((this: This, principal: Principal | undefined, args: Readonly<Record<string, unknown>>) => boolean)
    | undefined;
  /** Middleware of this handler. It runs inside the middleware of the server and is called on the instance. */
  use?:
    readonly ((this: This, ...parameters: Parameters<Middleware>) => ReturnType<Middleware>)[] | undefined;
  /**
   * Rate limit for each caller, in addition to the limit of `defineServer`: data, or a callback that decides for each
   * caller. Completions do not count.
   *
   * @example
   * rateLimit: { calls: 5, windowMs: 60_000 }
   * @example
   * rateLimit: ({ principal }) => ({ calls: principal?.claims.plan === "pro" ? 1000 : 10, windowMs: 60_000 })
   */
  rateLimit?: RateLimit | RateLimitResolver<This> | undefined;
  /**
   * Timeout of a call in milliseconds, in place of `limits.callTimeoutMs`; 0 means none. When the time is up, the
   * `signal` of the handler is aborted with a `TimeoutError`, and the client receives an error. Time spent waiting for the
   * user counts, except for clients of 2026-07-28: each of their requests has its own timeout. A task has `limits.taskLifetimeMs` instead.
   */
  timeoutMs?: number | undefined;
  /**
   * Callback: unless it returns `true`, the definition is hidden from this caller, and its calls are rejected. An
   * exception is logged and hides it, too. Called for every list request and every call.
   */
  enabled?: ((this: This, caller: Caller) => boolean) | undefined;
}

/** Options of a tool. To type `this` in callbacks, pass the class: `@Tool<Files>({ enabled() { … } })`. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export interface ToolOptions<This = any> extends DefinitionOptions, RuntimeOptions<This> {
  /** Whether the tool changes nothing (`readOnlyHint`). `true` also sets `destructiveHint` to false. */
  readOnly?: boolean | undefined;
  /** Whether the tool may delete or overwrite something (`destructiveHint`). Both values also set `readOnlyHint` to false. */
  destructive?: boolean | undefined;
  /** Whether a second call with the same arguments has no further effect (`idempotentHint`). */
  idempotent?: boolean | undefined;
  /** Whether the tool reaches beyond the data of this server (`openWorldHint`). */
  openWorld?: boolean | undefined;
  /** Replaces the derived schema verbatim. */
  inputSchema?: JsonSchema | undefined;
  /** Replaces the derived schema verbatim. Members that the schema does not declare are sent as well. */
  outputSchema?: JsonSchema | undefined;
  /**
   * On a class: prefix of the names of its tools, so that two classes can inherit the same methods. The decorator then
   * serves no method by itself.
   *
   * @example
   * \@Tool({ prefix: "user_" })
   * export class Users extends Records<User> {} // user_get, user_list, …
   */
  prefix?: string | undefined;
  /**
   * How to treat arguments that the schema does not declare. Default: the setting of `defineServer`, or `"reject"`.
   */
  unknownArguments?: UnknownArguments | undefined;
  /**
   * Maximum number of characters in the text of a result, which includes its data as JSON. A longer one becomes an error that
   * tells the model how to request less. Claude Code reads results up to this length, at most 500,000
   * (`anthropic/maxResultSizeChars`). Default: the `limits.maxResultChars` option of `defineServer`. 0 means no limit.
   */
  maxResultChars?: number | undefined;
  /**
   * Whether calls become tasks, so that clients receive the result later. `"optional"`: for clients that support tasks.
   * `"required"`: other clients of 2026-07-28 receive an error. Default: no tasks.
   *
   * @see https://modelcontextprotocol.io/extensions/tasks
   */
  task?: "optional" | "required" | undefined;
  /** When the task starts: with the call, or when the handler calls `Context.startTask`. Default: `"call"`. */
  taskStart?: "call" | "handler" | undefined;
  /**
   * View of the results: the path, relative to this file, of a module whose default export is a component or a `mount`
   * function, or of an HTML file, which is used unchanged. Clients without views receive the same result without it.
   *
   * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
   * @example
   * view: "./forecast.view.tsx"
   */
  view?: string | ViewOptions | undefined;
  /**
   * The parties that may call the tool: the model, and the views of this server (`"app"`). Clients without views can
   * neither see nor call a tool that is only for views. Default: both.
   */
  visibility?: ToolVisibility[] | undefined;
  /** Messages for ChatGPT. Only with `dialects: ["openai"]` in `defineServer`. */
  openai?: OpenAiToolOptions | undefined;
}

/**
 * Messages that ChatGPT shows about a call, of at most 64 characters each.
 *
 * @see https://developers.openai.com/plugins/reference
 */
export interface OpenAiToolOptions {
  /** During the call, such as `"Searching flights"`. */
  invoking?: string | undefined;
  /** After the call, such as `"Found flights"`. */
  invoked?: string | undefined;
}

/** A view, and the permissions that it needs. */
export interface ViewOptions {
  /** File of the view, relative to the file that contains the decorator. */
  file: string;
  /**
   * Origins that the view may reach, such as `"https://api.example.com"`. Clients block all others; by default, a view
   * reaches none.
   */
  csp?: ViewOrigins | undefined;
  /** Features of the browser that the view needs. Clients may deny them. */
  permissions?: ViewPermission[] | undefined;
  /** Whether the client should draw a border around the view. Default: the client decides. */
  prefersBorder?: boolean | undefined;
  /**
   * Separate origin for the view. Its format depends on the client: for Claude, the first 32 hexadecimal digits of the
   * SHA-256 hash of the server's URL, followed by `.claudemcpcontent.com`. Other clients might not show a view with such a domain.
   */
  domain?: string | undefined;
  /** The display modes that the view supports. Default: `["inline"]`. */
  displayModes?: ViewDisplayMode[] | undefined;
  /** Whether the view reports its height to the client whenever it changes. Default: true. */
  autoSize?: boolean | undefined;
  /** Settings for ChatGPT. Only with `dialects: ["openai"]` in `defineServer`. */
  openai?: OpenAiViewOptions | undefined;
}

/**
 * View settings that only ChatGPT uses.
 *
 * @see https://developers.openai.com/plugins/reference
 */
export interface OpenAiViewOptions {
  /** Description of what the view shows, so that the model does not repeat it. */
  description?: string | undefined;
  /** Origin for the views of this server, which OpenAI requires for publication. For other clients, use the `domain` of `ViewOptions`. */
  domain?: string | undefined;
  /** Origins that `app.openLink` opens without a warning. */
  redirectDomains?: string[] | undefined;
}

/** Origins that a view may reach. */
export interface ViewOrigins {
  /** For requests: `fetch`, `WebSocket`, and `EventSource`. */
  connectDomains?: string[] | undefined;
  /** For scripts, styles, images, fonts, and media. */
  resourceDomains?: string[] | undefined;
  /** For frames in the view. Several clients ignore them. */
  frameDomains?: string[] | undefined;
  /** For `<base>`. */
  baseUriDomains?: string[] | undefined;
}

/** Feature of the browser that a view may request. */
export type ViewPermission = "camera" | "microphone" | "geolocation" | "clipboardWrite";

/** Way in which a client displays a view. */
export type ViewDisplayMode = "inline" | "fullscreen" | "pip";

/** Options of a prompt. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export interface PromptOptions<This = any> extends DefinitionOptions, RuntimeOptions<This> {
  /** On a class: prefix of the names of its prompts. */
  prefix?: string | undefined;
  /** Callbacks that suggest values, by the name of the argument. */
  complete?: Completers<This> | undefined;
}

/** Options of a resource or a resource template. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export interface ResourceOptions<This = any> extends DefinitionOptions, RuntimeOptions<This> {
  /** MIME type of the content. */
  mimeType?: string | undefined;
  /** Size in bytes, if it is known in advance. */
  size?: number | undefined;
  /** Audience, priority, and time of the last change. */
  annotations?: Annotations | undefined;
  /** How long clients may cache the content. Default: not at all. Content that depends on the client's answers is never cached. */
  cache?: CacheOptions | undefined;
  /** Callbacks that suggest values, by the name of the URI variable. */
  complete?: Completers<This> | undefined;
  /**
   * Callback of a template: returns the resources that exist. Called only for callers with its `scopes`. A callback with the
   * parameter `cursor` returns one page of them.
   *
   * @example
   * list: (caller, cursor: Cursor<number>) =>
   *   cursor.slice(rows.map(({ id }) => ({ uri: `order://${id}`, name: `Order ${id}` })))
   */
  list?:
    // oxlint-disable-next-line typescript/no-explicit-any -- the callback chooses the type of its positions
    | ((this: This, caller: Caller, cursor: Cursor<any>) => ListedResources | Promise<ListedResources>)
    | undefined;
}

/** The resources of a template, or one page of them. */
export type ListedResources = ListedResource[] | Page<ListedResource>;

/** A resource of a template, as `list` returns it. */
export interface ListedResource {
  /** URI that matches the template. */
  uri: string;
  /** Name in the protocol. */
  name: string;
  /** Display name. */
  title?: string | undefined;
  /** Description for the model. */
  description?: string | undefined;
  /** MIME type of the content. */
  mimeType?: string | undefined;
  /** Size in bytes. */
  size?: number | undefined;
  /** Audience, priority, and time of the last change. */
  annotations?: Annotations | undefined;
  /** Icons for user interfaces. */
  icons?: Icon[] | undefined;
  /** Additional metadata for clients. */
  _meta?: Record<string, unknown> | undefined;
}

/**
 * Callbacks that return suggestions for `value`, the text entered so far; `others` are the arguments that are already
 * filled in.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Completers<This = any> = Record<
  string,
  | ((
      this: This,
      value: string,
      others: Record<string, string>,
      caller: Caller,
    ) => string[] | Promise<string[]>)
  | undefined
>;

import type { RateLimit, UnknownArguments } from "../manifest.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import type { Annotations, Icon } from "../protocol/specification.js";
import type { Middleware } from "./middleware.js";
import type { Caller, Principal } from "./caller.js";
import type { CacheOptions } from "./define-server.js";
import type { RateLimitOf } from "./rate-limit.js";

/** Said of a tool, prompt or resource. Plain data, read at build time. */
export interface DescribedOptions {
  /** Defaults to the method's name. */
  name?: string;
  /** Shown to people instead of the name. */
  title?: string;
  /** Defaults to the JSDoc of the method (or, in the class form, of the class). */
  description?: string;
  icons?: Icon[];
  /**
   * What a caller must have been granted: scopes of `auth` in `defineServer`. Who lacks some is still shown that there is
   * such a thing, and challenged to come back with them.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
   */
  scopes?: readonly string[];
  /** Sent as `_meta`, untouched. */
  meta?: Record<string, unknown>;
}

/** Decided while the server runs, for each caller. Behaviours are called on the instance of the class. */
// oxlint-disable-next-line typescript/no-explicit-any -- a decorator does not see its class, so that it has to be named
export interface BehaviourOptions<This = any> {
  /**
   * Behaviour: whether this principal may. What it answers to a principal alone decides what is listed; one that looks at
   * the arguments as well is asked for each call. Who may not is told that there is nothing of the name, and of no scope.
   *
   * @example
   * authorize: (user) => user?.claims.tenant === "engines"
   */
  authorize?: (
    this: This,
    principal: Principal | undefined,
    args: Readonly<Record<string, unknown>>,
  ) => boolean;
  /** What goes around this handler, inside of what goes around every handler; called on the instance. */
  use?: readonly ((this: This, ...parameters: Parameters<Middleware>) => ReturnType<Middleware>)[];
  /**
   * How often one caller may call, besides what `defineServer` says of all calls together: data, or a behaviour that
   * decides it for each caller. Suggestions for arguments do not count.
   *
   * @example
   * rateLimit: { calls: 5, windowMs: 60_000 }
   * @example
   * rateLimit: ({ principal }) => ({ calls: principal?.claims.plan === "pro" ? 1000 : 10, windowMs: 60_000 })
   */
  rateLimit?: RateLimit | RateLimitOf<This>;
  /**
   * How long a call may take, in milliseconds, in place of `limits.callMs`; 0 sets no limit. When the time is up, the
   * handler's `signal` is aborted with a `TimeoutError` and the client is answered at once. What the call waits for the
   * client's user counts too. A call that has been answered with a task may take `limits.taskMs`.
   */
  timeoutMs?: number;
  /** Behaviour: false hides it from this caller, and refuses what is asked of it. Asked on every list and call. */
  enabled?: (this: This, caller: Caller) => boolean;
}

/**
 * Options whose behaviours are methods of the class that is decorated are typed by it: `@Tool<Files>({ enabled() { … } })`.
 * They are called on the instance, and given who asks.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export interface ToolOptions<This = any> extends DescribedOptions, BehaviourOptions<This> {
  /** The tool changes nothing (`readOnlyHint`). */
  readOnly?: boolean;
  /** The tool may delete or overwrite (`destructiveHint`). */
  destructive?: boolean;
  /** Calling twice with the same arguments does no more than calling once (`idempotentHint`). */
  idempotent?: boolean;
  /** The tool reaches beyond this server's own data (`openWorldHint`). */
  openWorld?: boolean;
  /** Replaces the derived schema, verbatim. */
  inputSchema?: JsonSchema;
  /** Replaces the derived schema, verbatim. Members that it does not name are sent as well. */
  outputSchema?: JsonSchema;
  /**
   * On a class: goes before the names of all its tools, so that two classes can inherit the same methods. The decorator
   * then serves no method by itself.
   *
   * @example
   * \@Tool({ prefix: "user_" })
   * export class Users extends Records<User> {} // user_get, user_list, …
   */
  prefix?: string;
  /** What to do with arguments the schema does not name. Default: as `defineServer` says, or else `"reject"`. */
  unknownArguments?: UnknownArguments;
  /**
   * The tool may take long, so that clients which know tasks get one at once and its result later. `"required"`
   * refuses other clients of 2026-07-28. Default: no tasks.
   *
   * @see https://modelcontextprotocol.io/extensions/tasks
   */
  task?: "optional" | "required";
  /** When the task begins: with the call, or when the handler says so (`Context.startTask`). Default `"call"`. */
  taskStart?: "call" | "handler";
}

// oxlint-disable-next-line typescript/no-explicit-any -- see above
export interface PromptOptions<This = any> extends DescribedOptions, BehaviourOptions<This> {
  /** On a class: goes before the names of all its prompts. */
  prefix?: string;
  /** Behaviour: suggestions for an argument, by argument name. */
  complete?: Completers<This>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- see above
export interface ResourceOptions<This = any> extends DescribedOptions, BehaviourOptions<This> {
  mimeType?: string;
  /** In bytes, when known beforehand. */
  size?: number;
  annotations?: Annotations;
  /** How long clients may keep what it holds. By default not at all. */
  cache?: CacheOptions;
  /** Behaviour: suggestions for a URI variable, by variable name. */
  complete?: Completers<This>;
  /** Behaviour, templates only: the concrete resources to list. */
  list?: (this: This, caller: Caller) => ListedResource[] | Promise<ListedResource[]>;
}

/** A concrete resource of a template, as its `list` behaviour reports it. */
export interface ListedResource {
  uri: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
  size?: number | undefined;
  annotations?: Annotations | undefined;
  icons?: Icon[] | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** Returns suggestions that start with (or otherwise fit) `value`; `others` are the arguments already filled in. */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Completers<This = any> = Record<
  string,
  (this: This, value: string, others: Record<string, string>, caller: Caller) => string[] | Promise<string[]>
>;

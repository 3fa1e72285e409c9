/**
 * What holds for a whole server: by default, or as `src/server.ts` configures it.
 * @module
 */
import type { HandlerClass } from "./application.js";
import { type CacheHint, listHint } from "../results/cache-hints.js";
import type { Auth } from "../auth/authenticator.js";
import type { Principal } from "../api/caller.js";
import type { Limits } from "../api/limits.js";
import type { LogSink } from "../api/log.js";
import type { Middleware } from "../api/middleware.js";
import type { Observer } from "../api/observer.js";
import type { RateLimitOf } from "../api/rate-limit.js";
import type { TaskExecutor } from "../api/task-executor.js";
import type {
  CacheOptionsByList,
  HttpConfig,
  OutputChecks,
  Sanitize,
  ServerConfig,
} from "../api/define-server.js";
import { toPrincipal } from "../connection/principal.js";
import { createLog } from "../log/text-log.js";
import { checkedRateLimit, resolveLimits } from "./limits.js";
import { DEFAULT_PAGE_SIZE, type Manifest, type RateLimit, type UnknownArguments } from "../manifest.js";
import type { Notifier } from "../api/notifier.js";
import { type JoinableSharing, joinable } from "../replicas/sharing.js";
import type { Implementation } from "../protocol/specification.js";

/** What a server can be configured in. */
export interface Settings {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly limits: Limits;
  readonly http: HttpConfig;
  readonly auth: Auth | undefined;
  /** What goes around every handler. */
  readonly use: readonly Middleware[];
  /** How often one caller may call. */
  readonly rateLimit: RateLimit | RateLimitOf | undefined;
  /** On whose behalf calls over stdio are made. */
  readonly localPrincipal: Principal | undefined;
  /** The most entries in one list reply. */
  readonly pageSize: number;
  /** Absent means `"reject"`. */
  readonly unknownArguments: UnknownArguments | undefined;
  readonly outputChecks: OutputChecks;
  readonly sanitize: Sanitize;
  readonly log: LogSink;
  /** Who sees every request. */
  readonly observe: readonly Observer[];
  /** How this process shares what outlives a request with others. */
  readonly store: JoinableSharing | undefined;
  /** Which process works on a task. */
  readonly tasks: TaskExecutor | undefined;
  /** There is code that can report that a resource was updated. */
  readonly reportsUpdates: boolean;
  /** How code outside of handlers says that something changed. */
  readonly notifier: Notifier | undefined;
  /** How long clients may keep a list. `isConstant`: it is the same for everybody while the server runs. */
  hint(list: keyof CacheOptionsByList, isConstant: boolean): CacheHint;
  /** The author's own instances. */
  readonly provide: readonly object[];
  /** The author's own instance of a class. */
  provided(handlerClass: HandlerClass): object | undefined;
}

/**
 * What is configured, and the defaults of what is not.
 *
 * @throws TypeError when something is configured that cannot be
 */
export function createSettings(
  { server, instructions, resourceUpdates }: Manifest,
  config: ServerConfig = {},
): Settings {
  const { provide = [], http = {}, stdio = {}, notifier } = config;
  return {
    info: serverInfo(server, config),
    instructions: config.instructions ?? instructions,
    limits: resolveLimits(config.limits),
    http,
    auth: authOf(config),
    use: useOf(config),
    rateLimit: checkedRateLimit(config.rateLimit, "defineServer()"),
    localPrincipal: stdio.principal === undefined ? undefined : toPrincipal(stdio.principal),
    pageSize: pageSizeOf(config),
    unknownArguments: unknownArgumentsOf(config),
    outputChecks: outputChecksOf(config),
    sanitize: sanitizeOf(config),
    log: createLog(config.log),
    observe: observersOf(config),
    store: config.store && joinable(config.store),
    tasks: config.tasks,
    reportsUpdates: resourceUpdates === true || notifier !== undefined,
    notifier,
    hint: (list, isConstant) => listHint(config, list, isConstant),
    provide,
    provided: (handlerClass) => findProvided(provide, handlerClass),
  };
}

function serverInfo(info: Implementation, config: ServerConfig): Implementation {
  const described: Implementation = { ...info };
  if (config.name !== undefined) described.name = config.name;
  if (config.title !== undefined) described.title = config.title;
  if (config.version !== undefined) described.version = config.version;
  if (config.description !== undefined) described.description = config.description;
  if (config.websiteUrl !== undefined) described.websiteUrl = config.websiteUrl;
  if (config.icons !== undefined) described.icons = config.icons;
  return described;
}

function pageSizeOf({ pageSize = DEFAULT_PAGE_SIZE }: ServerConfig): number {
  if (Number.isSafeInteger(pageSize) && pageSize > 0) return pageSize;
  throw new TypeError(`pageSize must be a positive whole number (got ${String(pageSize)})`);
}

function unknownArgumentsOf({ unknownArguments }: ServerConfig): UnknownArguments | undefined {
  if (unknownArguments === undefined || ["reject", "ignore"].includes(unknownArguments))
    return unknownArguments;
  throw new TypeError(`unknownArguments must be "reject" or "ignore" (got ${String(unknownArguments)})`);
}

function authOf({ auth, http }: ServerConfig): Auth | undefined {
  if (auth === undefined || http?.principal === undefined) return auth;
  throw new TypeError("`auth` says who calls, and so does `http.principal`; remove one of them");
}

function useOf({ use = [] }: ServerConfig): readonly Middleware[] {
  if (Array.isArray(use) && use.every((each) => typeof each === "function")) return use;
  throw new TypeError("`use` must be a list of functions: (call, next) => next()");
}

function observersOf({ observe = [] }: ServerConfig): readonly Observer[] {
  if (Array.isArray(observe) && observe.every((each) => typeof each?.observe === "function")) return observe;
  throw new TypeError("`observe` must be a list of observers, such as audit() of @tenon/runtime/log");
}

function outputChecksOf({ outputChecks = "enforce" }: ServerConfig): OutputChecks {
  if (["enforce", "log", "off"].includes(outputChecks)) return outputChecks;
  throw new TypeError(`outputChecks must be "enforce", "log" or "off" (got ${String(outputChecks)})`);
}

function sanitizeOf({ sanitize = "remove" }: ServerConfig): Sanitize {
  if (["remove", "escape", "off"].includes(sanitize)) return sanitize;
  throw new TypeError(`sanitize must be "remove", "escape" or "off" (got ${String(sanitize)})`);
}

function findProvided(provided: readonly object[], handlerClass: HandlerClass): object | undefined {
  return (
    provided.find((instance) => instance.constructor === handlerClass) ??
    provided.find((instance) => instance instanceof handlerClass)
  );
}

/**
 * The settings of a server: the configuration in `src/server.ts`, and defaults.
 * @module
 */
import type { HandlerClass } from "../application/application.js";
import { type CacheHint, getListHint } from "../../data/results/cache-hints.js";
import type { Auth } from "../../api/auth.js";
import type { Principal } from "../../api/caller.js";
import type { Limits } from "../../api/limits.js";
import type { Middleware } from "../../api/middleware.js";
import type { Observer } from "../../api/observer.js";
import type { RateLimitResolver } from "../../api/rate-limit.js";
import type { TaskExecutor } from "../../api/task-executor.js";
import type {
  CacheOptionsByList,
  FilesConfig,
  OutputValidation,
  Sanitize,
  ServerConfig,
  SkillOptions,
} from "../../api/define-server.js";
import type { HttpConfig } from "../../api/http-config.js";
import { toPrincipal } from "../../access/principal.js";
import { createLog, type LeveledSink } from "../../observe/log/text-log.js";
import { resolveLimits } from "./limits.js";
import { DEFAULT_PAGE_SIZE, type Manifest, type RateLimit, type UnknownArguments } from "../../manifest.js";
import type { Notifier } from "../../api/notifier.js";
import type { SharedStore } from "../../api/store.js";
import type { Implementation } from "../../protocol/specification.js";

/** The settings of a server. */
export interface Settings {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly limits: Limits;
  readonly http: HttpConfig;
  readonly files: FilesConfig;
  readonly auth: Auth | undefined;
  /** Absent if all tools are listed. */
  readonly toolSearch: Manifest["toolSearch"];
  /** Whether results contain challenges for ChatGPT. */
  readonly hasOpenAiDialect: boolean;
  /** The middleware around every handler. */
  readonly use: readonly Middleware[];
  /** The number of calls that one caller may make within a time window. */
  readonly rateLimit: RateLimit | RateLimitResolver | undefined;
  /** The principal of calls over stdio. */
  readonly localPrincipal: Principal | undefined;
  /** The maximum number of entries in the response to one list request. */
  readonly pageSize: number;
  /** Absent means `"reject"`. */
  readonly unknownArguments: UnknownArguments | undefined;
  readonly outputValidation: OutputValidation;
  readonly sanitize: Sanitize;
  readonly log: LeveledSink;
  /** The observers of every request. */
  readonly observe: readonly Observer[];
  /** The store for state that outlives a request, shared with other processes. */
  readonly store: SharedStore | undefined;
  /** Decides which process works on a task. */
  readonly tasks: TaskExecutor | undefined;
  /** Whether there is code that can report that a resource was updated. */
  readonly reportsUpdates: boolean;
  /** Reports changes on behalf of code outside handlers. */
  readonly notifier: Notifier | undefined;
  /**
   * Returns the time for which clients may cache a list.
   *
   * @param isConstant whether all callers see the same list, which never changes
   */
  getCacheHint(list: keyof CacheOptionsByList, isConstant: boolean): CacheHint;
  /** The options of skills, by the path of their folder. */
  readonly skills: Readonly<Record<string, SkillOptions | undefined>>;
  /** The instances that the author provides. */
  readonly provide: readonly object[];
  /** Returns the provided instance of a class. */
  findInstance(handlerClass: HandlerClass): object | undefined;
}

/**
 * Creates the settings from a checked configuration, with defaults for the rest.
 *
 * @throws TypeError for options that exclude each other
 */
export function createSettings(
  { server, instructions, resourceUpdates, toolSearch }: Manifest,
  config: ServerConfig = {},
): Settings {
  const { provide = [], http = {}, stdio = {}, notifier } = config;
  return {
    info: createServerInfo(server, config),
    instructions: readInstructions(config, instructions),
    limits: resolveLimits(config.limits),
    http,
    files: config.files ?? {},
    auth: readAuth(config),
    toolSearch: readToolSearch(config, toolSearch),
    hasOpenAiDialect: config.dialects?.includes("openai") === true,
    use: config.use ?? [],
    rateLimit: config.rateLimit,
    localPrincipal: stdio.principal === undefined ? undefined : toPrincipal(stdio.principal),
    pageSize: config.pageSize ?? DEFAULT_PAGE_SIZE,
    unknownArguments: config.unknownArguments,
    outputValidation: config.outputValidation ?? "enforce",
    sanitize: config.sanitize ?? "remove",
    log: createLog(config.log),
    observe: config.observe ?? [],
    store: config.store,
    tasks: config.tasks,
    reportsUpdates: resourceUpdates === true || notifier !== undefined,
    notifier,
    getCacheHint: (list, isConstant) => getListHint(config, list, isConstant),
    skills: config.skills ?? {},
    provide,
    findInstance: (handlerClass) => findProvided(provide, handlerClass),
  };
}

function createServerInfo(info: Implementation, config: ServerConfig): Implementation {
  const result: Implementation = { ...info };
  if (config.name !== undefined) result.name = config.name;
  if (config.title !== undefined) result.title = config.title;
  if (config.version !== undefined) result.version = config.version;
  if (config.description !== undefined) result.description = config.description;
  if (config.websiteUrl !== undefined) result.websiteUrl = config.websiteUrl;
  if (config.icons !== undefined) result.icons = config.icons;
  return result;
}

/**
 * Returns the instructions.
 *
 * @param built those of the manifest, to which the build adds the content of a file
 */
function readInstructions({ instructions }: ServerConfig, built: string | undefined): string | undefined {
  if (typeof instructions === "string") return instructions;
  if (instructions !== undefined && built === undefined) throw createUnseenError("instructions.file");
  return built;
}

/** Returns the setting of the search mode in the manifest. */
function readToolSearch({ toolSearch }: ServerConfig, built: Manifest["toolSearch"]): Manifest["toolSearch"] {
  if (toolSearch && built === undefined) throw createUnseenError("toolSearch");
  return built;
}

function createUnseenError(option: string): TypeError {
  return new TypeError(
    `\`${option}\` has no effect: the build did not see it. Write it directly in the argument of \`defineServer\`.`,
  );
}

function readAuth({ auth, http }: ServerConfig): Auth | undefined {
  if (auth === undefined || http?.principal === undefined) return auth;
  throw new TypeError("`auth` and `http.principal` both identify the caller; remove one");
}

function findProvided(provided: readonly object[], handlerClass: HandlerClass): object | undefined {
  return (
    provided.find((instance) => instance.constructor === handlerClass) ??
    provided.find((instance) => instance instanceof handlerClass)
  );
}

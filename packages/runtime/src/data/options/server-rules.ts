import type { FilesConfig, ServerConfig, SkillOptions, StdioConfig } from "../../api/define-server.js";
import type { HealthConfig, HttpConfig } from "../../api/http-config.js";
import type { Limits } from "../../api/limits.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { OptionRule } from "./option-rule.js";
import {
  AMOUNT_OR_NONE,
  ANY_STRING,
  CACHE,
  CALLBACK,
  COUNT,
  DATA,
  DEFINITION_RULES,
  DELAY,
  objectWithMethods,
  list,
  MIDDLEWARE,
  object,
  oneOf,
  POSITIVE_DELAY,
  RATE_LIMIT,
  rule,
  SIZE,
  BOOLEAN,
  STRING,
  STRINGS,
  UNCHECKED,
  UNKNOWN_ARGUMENTS,
} from "./rule-kinds.js";
import { isHttpUrl } from "../../protocol/parse-url.js";
import { HOSTS, HOSTS_AND_ORIGINS, PATH } from "./serving-rules.js";

type RulesOf<Options> = { readonly [Name in keyof Options]-?: OptionRule };

const AMOUNT = rule("a positive number", (value) => AMOUNT_OR_NONE.accepts(value) && value !== 0);

/** The rules of `limits`. A limit of the runtime that is missing here is a type error. */
const LIMITS: RulesOf<Limits> = {
  maxBodyBytes: AMOUNT,
  maxLineBytes: AMOUNT,
  maxBatchMessages: AMOUNT,
  maxDepth: AMOUNT,
  maxValues: AMOUNT,
  maxSessions: AMOUNT,
  sessionIdleTimeoutMs: POSITIVE_DELAY,
  sessionLifetimeMs: POSITIVE_DELAY,
  maxStreamBufferBytes: AMOUNT,
  maxReplayBytes: AMOUNT_OR_NONE,
  maxSubscriptions: AMOUNT,
  maxSubscribedResources: AMOUNT,
  maxConcurrentRequests: AMOUNT,
  maxConcurrentCallsPerCaller: AMOUNT,
  maxResultChars: SIZE,
  maxEmbeddedFileBytes: AMOUNT_OR_NONE,
  maxDownloadBytes: AMOUNT,
  downloadTimeoutMs: POSITIVE_DELAY,
  callTimeoutMs: DELAY,
  drainTimeoutMs: POSITIVE_DELAY,
  stdinDrainTimeoutMs: POSITIVE_DELAY,
  inputTimeoutMs: POSITIVE_DELAY,
  maxTasks: AMOUNT,
  maxTaskBytes: AMOUNT,
  taskLifetimeMs: POSITIVE_DELAY,
  maxTrackedCallers: AMOUNT,
};

const HEALTH: RulesOf<HealthConfig> = {
  livePath: PATH,
  readyPath: PATH,
  ready: rule("a function that returns whether the server is ready", CALLBACK.accepts),
  shutdownDelayMs: DELAY,
};

const PROXIES: OptionRule = {
  ...object(
    'a list of proxy addresses, such as ["loopback", "10.0.0.0/8"]',
    { addresses: STRINGS, header: oneOf("x-forwarded-for", "forwarded") },
    ["addresses"],
  ),
  accepts: (value) => Array.isArray(value) || isObject(value),
  elements: STRING,
};

const FILES: RulesOf<FilesConfig> = {
  allowedDownloadHosts: HOSTS,
  links: rule("the result of fileLinks(…)", isObject),
};

const HTTP: RulesOf<HttpConfig> = {
  ...HOSTS_AND_ORIGINS,
  trustedProxies: PROXIES,
  health: {
    ...object("false, or an object with paths and callbacks", HEALTH),
    accepts: (value) => value === false || isObject(value),
  },
  routes: rule("the result of routes(…)", isObject),
  sessions: BOOLEAN,
  sse: BOOLEAN,
  page: BOOLEAN,
  card: rule("the result of serverCard(…)", isObject),
  principal: CALLBACK,
};

const PRINCIPAL: OptionRule = {
  ...object(
    "a non-empty subject, or an object with one",
    {
      subject: STRING,
      client: STRING,
      issuer: STRING,
      scopes: STRINGS,
      claims: DATA,
      expiresAt: rule("a Date", (value) => value instanceof Date && !Number.isNaN(value.getTime())),
    },
    ["subject"],
  ),
  accepts: (value) => STRING.accepts(value) || isObject(value),
};

const STDIO: RulesOf<StdioConfig> = { principal: PRINCIPAL };

const SKILL: RulesOf<SkillOptions> = { scopes: STRINGS, enabled: CALLBACK };

/** The rules of `defineServer`. An option of the runtime that is missing here is a type error. */
const OPTIONS: RulesOf<ServerConfig> = {
  ...(DEFINITION_RULES as RulesOf<Pick<ServerConfig, "name" | "title" | "description" | "icons">>),
  version: STRING,
  websiteUrl: rule("an HTTP or HTTPS URL", (value) => typeof value === "string" && isHttpUrl(value)),
  instructions: {
    ...object('a string or { file: "./instructions.md" }', { file: STRING }, ["file"]),
    accepts: (value) => ANY_STRING.accepts(value) || isObject(value),
  },
  provide: list(
    "a list of instances, such as [new Weather(db)]",
    rule("an instance, such as new Weather(db)", isObject),
  ),
  toolSearch: {
    ...object('true, false, or { always: ["name"] }', { always: STRINGS }, ["always"]),
    accepts: (value) => typeof value === "boolean" || isObject(value),
  },
  profile: UNCHECKED,
  dialects: UNCHECKED,
  limits: object("an object with limits", LIMITS),
  http: object("an object with options", HTTP),
  files: object("an object with options", FILES),
  auth: objectWithMethods("oauth(…) or apiKeys(…)", "authenticate"),
  stdio: object("an object with a principal", STDIO),
  store: rule(
    "redis(…), workers(), or sharedStore(store)",
    (value) => isObject(value) && isObject((value as { store?: unknown }).store),
  ),
  tasks: objectWithMethods("bullmq(…), or your own TaskExecutor", "start", "submit", "close"),
  use: MIDDLEWARE,
  rateLimit: RATE_LIMIT,
  listTtlMs: rule("a whole number of milliseconds, at least 0", SIZE.accepts),
  cache: object("an object such as { tools: { ttlMs: 60000 } }", {
    discover: CACHE,
    tools: CACHE,
    prompts: CACHE,
    resources: CACHE,
    resourceTemplates: CACHE,
    skills: CACHE,
  }),
  pageSize: COUNT,
  unknownArguments: UNKNOWN_ARGUMENTS,
  outputValidation: oneOf("enforce", "log", "off"),
  sanitize: oneOf("remove", "escape", "off"),
  log: rule(
    'a function or one of "debug", "info", "warn", "error", "fatal", "off"',
    (value) =>
      typeof value === "function" ||
      ["debug", "info", "warn", "error", "fatal", "off"].includes(value as string),
  ),
  observe: list(
    "a list of observers, such as [audit()]",
    objectWithMethods("an observer, such as audit()", "observe"),
  ),
  skills: {
    ...rule("an object with the options of skills, by the path of their folder", isObject),
    values: object("an object with scopes or enabled", SKILL),
  },
  notifier: objectWithMethods("the result of createNotifier()", "onChange"),
};

/** The rule of the argument of `defineServer`. */
export const SERVER_RULE = object("an object with options", OPTIONS);

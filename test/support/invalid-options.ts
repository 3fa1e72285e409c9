import type {
  FilesConfig,
  HealthConfig,
  HttpConfig,
  PromptOptions,
  ResourceOptions,
  ServerConfig,
  StdioConfig,
  ToolOptions,
} from "@tenon/runtime";
import type { Limits } from "@tenon/runtime";

/** Invalid values of options by their path. An option of the runtime without a row is a type error. */
type InvalidValues<Path extends string> = Readonly<Record<Path, readonly unknown[]>>;

const fn = (): void => {};
const NOT_TEXT = [null, 1, true, [], {}, fn];
const NOT_NAME = ["", ...NOT_TEXT];
const NOT_SWITCH = [null, 0, "true", [], {}, fn];
const NOT_FUNCTION = [null, 1, "x", true, [], {}];
const NOT_DATA = [null, 1, "x", true, [], fn];
const NOT_TEXTS = [null, 1, "x", true, {}, [1], [""], fn];
const NOT_COUNT = [null, 0, -1, 1.5, Number.NaN, Infinity, "5", true, [], {}, fn];
const NOT_SIZE = [null, -1, 1.5, Number.NaN, Infinity, "5", true, [], {}, fn];
const NOT_AMOUNT = [null, 0, -1, Number.NaN, "5", true, [], {}, fn];
const NOT_DELAY = [null, -1, Number.NaN, Infinity, 2 ** 31, "5s", true, [], {}, fn];
const NOT_POSITIVE_DELAY = [0, ...NOT_DELAY];
const NOT_MIDDLEWARE = [null, 1, "x", {}, fn, [1], ["audit"]];
const NOT_CACHE = [null, 1, "x", [], fn, { ttl: 1 }, { ttlMs: -1 }, { ttlMs: 0.5 }, { cacheScope: "shared" }];
const NOT_ICONS = [
  null,
  1,
  "x",
  {},
  fn,
  [1],
  [{}],
  [{ src: "" }],
  [{ src: "a", theme: "blue" }],
  [{ url: "a" }],
];
const NOT_RATE_LIMIT = [
  null,
  100,
  "x",
  [],
  {},
  { calls: -1, windowMs: 0 },
  { calls: 0, windowMs: 1000 },
  { calls: 1.5, windowMs: 1000 },
  { calls: 5 },
  { windowMs: 5 },
  { calls: 5, windowMs: 0 },
  { calls: 5, windowMs: Infinity },
  { calls: 5, windowMs: 1000, per: "user" },
];
const NOT_CHOICE = [null, 1, "x", true, [], {}, fn];
const NOT_INSTANCE = [null, 1, "x", true, [], {}, fn];

const DEFINITION = {
  name: NOT_NAME,
  title: NOT_TEXT,
  description: NOT_TEXT,
  icons: NOT_ICONS,
};

/** Invalid values of the options of `defineServer`. */
export const INVALID_SERVER_OPTIONS: InvalidValues<
  | keyof ServerConfig
  | `limits.${keyof Limits}`
  | `http.${keyof HttpConfig}`
  | `files.${keyof FilesConfig}`
  | `http.health.${keyof HealthConfig}`
  | `stdio.${keyof StdioConfig}`
> = {
  ...DEFINITION,
  version: NOT_NAME,
  websiteUrl: ["", "example.com", "javascript:alert(1)", "file:///etc/hosts", ...NOT_TEXT],
  instructions: [null, 1, true, [], {}, fn, { file: "" }, { file: 1 }, { path: "./a.md" }],
  provide: [null, 1, "x", {}, fn, [1], ["x"], [fn]],
  toolSearch: [null, 1, "x", [], {}, fn, { always: "x" }, { always: [1] }, { listed: [] }],
  profile: ["claude"],
  dialects: [null, 1, "openai", ["claude"], [1]],
  limits: [null, 1, "x", [], fn, { sessions: 1 }],
  "limits.maxBodyBytes": NOT_AMOUNT,
  "limits.maxLineBytes": NOT_AMOUNT,
  "limits.maxBatchMessages": NOT_AMOUNT,
  "limits.maxDepth": NOT_AMOUNT,
  "limits.maxValues": NOT_AMOUNT,
  "limits.maxSessions": NOT_AMOUNT,
  "limits.sessionIdleTimeoutMs": NOT_POSITIVE_DELAY,
  "limits.sessionLifetimeMs": NOT_POSITIVE_DELAY,
  "limits.maxStreamBufferBytes": NOT_AMOUNT,
  "limits.maxReplayBytes": NOT_AMOUNT.filter((each) => each !== 0),
  "limits.maxResultChars": NOT_SIZE,
  "limits.maxEmbeddedFileBytes": NOT_AMOUNT.filter((each) => each !== 0),
  "limits.maxDownloadBytes": NOT_AMOUNT,
  "limits.downloadTimeoutMs": NOT_POSITIVE_DELAY,
  "limits.maxSubscriptions": NOT_AMOUNT,
  "limits.maxSubscribedResources": NOT_AMOUNT,
  "limits.maxConcurrentRequests": NOT_AMOUNT,
  "limits.maxConcurrentCallsPerCaller": NOT_AMOUNT,
  "limits.callTimeoutMs": NOT_DELAY,
  "limits.drainTimeoutMs": NOT_POSITIVE_DELAY,
  "limits.stdinDrainTimeoutMs": NOT_POSITIVE_DELAY,
  "limits.maxTasks": NOT_AMOUNT,
  "limits.maxTaskBytes": NOT_AMOUNT,
  "limits.taskLifetimeMs": NOT_POSITIVE_DELAY,
  "limits.maxTrackedCallers": NOT_AMOUNT,
  "limits.inputTimeoutMs": NOT_POSITIVE_DELAY,
  http: [null, 1, "x", [], fn, { host: "0.0.0.0" }],
  files: NOT_DATA,
  "files.allowedDownloadHosts": [...NOT_TEXTS, ["https://files.example.com"], ["*.example.com"]],
  "files.links": [null, 1, "x", true, fn],
  "http.allowedHosts": [...NOT_TEXTS, ["https://mcp.example.com"], ["*.example.com"]],
  "http.allowedOrigins": [...NOT_TEXTS, ["app.example.com"], ["https://app.example.com/"], ["*"]],
  "http.trustedProxies": [null, 1, "x", true, [1], {}, { addresses: ["::1"], header: "x-real-ip" }, fn],
  "http.health": [null, 1, "x", true, [], fn, { path: "/healthz" }],
  "http.health.livePath": ["", "healthz", ...NOT_TEXT],
  "http.health.readyPath": ["", "healthz", ...NOT_TEXT],
  "http.health.ready": NOT_FUNCTION,
  "http.health.shutdownDelayMs": NOT_DELAY,
  "http.routes": [null, 1, "x", true, [], fn],
  "http.sessions": NOT_SWITCH,
  "http.sse": NOT_SWITCH,
  "http.page": NOT_SWITCH,
  "http.card": [null, 1, "x", true, [], fn],
  "http.principal": NOT_FUNCTION,
  auth: NOT_INSTANCE,
  stdio: [null, 1, "x", [], fn, { user: "ada" }],
  "stdio.principal": [
    null,
    1,
    "",
    [],
    {},
    fn,
    { subject: "" },
    { subject: "ada", scope: "read" },
    { subject: "ada", scopes: "read" },
    { subject: "ada", scopes: [1] },
    { subject: "ada", claims: "x" },
    { subject: "ada", expiresAt: "2026-07-28" },
  ],
  store: NOT_INSTANCE,
  tasks: NOT_INSTANCE,
  use: NOT_MIDDLEWARE,
  rateLimit: NOT_RATE_LIMIT,
  listTtlMs: NOT_SIZE,
  cache: [null, 1, "x", [], fn, { tool: {} }, ...NOT_CACHE.map((tools) => ({ tools }))],
  pageSize: NOT_COUNT,
  unknownArguments: NOT_CHOICE,
  outputValidation: NOT_CHOICE,
  sanitize: NOT_CHOICE,
  log: [null, 1, "json", true, [], {}],
  observe: [null, 1, "x", {}, fn, [fn], [{}], [1]],
  skills: [5, [], "refunds", { refunds: 5 }, { refunds: { scopes: "x" } }, { refunds: { enabled: true } }],
  notifier: NOT_INSTANCE,
};

const COMMON = {
  ...DEFINITION,
  scopes: NOT_TEXTS,
  meta: NOT_DATA,
  authorize: NOT_FUNCTION,
  use: NOT_MIDDLEWARE,
  rateLimit: NOT_RATE_LIMIT,
  timeoutMs: NOT_DELAY,
  enabled: NOT_FUNCTION,
};

/** Invalid values of the options of each decorator. */
export const INVALID_DECORATOR_OPTIONS: {
  readonly Tool: InvalidValues<Exclude<keyof ToolOptions, "prefix">>;
  readonly Prompt: InvalidValues<Exclude<keyof PromptOptions, "prefix">>;
  readonly Resource: InvalidValues<keyof ResourceOptions>;
} = {
  Tool: {
    ...COMMON,
    readOnly: NOT_SWITCH,
    destructive: NOT_SWITCH,
    idempotent: NOT_SWITCH,
    openWorld: NOT_SWITCH,
    inputSchema: NOT_DATA,
    outputSchema: NOT_DATA,
    unknownArguments: NOT_CHOICE,
    task: NOT_CHOICE,
    taskStart: NOT_CHOICE,
    view: [
      null,
      1,
      true,
      "",
      [],
      {},
      fn,
      { file: "" },
      { file: "./a.html", csp: { connectDomains: ["https://example.com/path"] } },
      { file: "./a.html", csp: { scripts: [] } },
      { file: "./a.html", permissions: ["usb"] },
      { file: "./a.html", displayModes: ["window"] },
      { file: "./a.html", autoSize: "no" },
      { file: "./a.html", openai: { domain: "example.com" } },
      { file: "./a.html", openai: { redirectDomains: "https://example.com" } },
    ],
    maxResultChars: NOT_SIZE,
    visibility: [null, 1, "app", [], ["user"], fn],
    openai: [null, 1, "x", [], fn, { invoking: "" }, { invoked: "x".repeat(65) }, { invoke: "x" }],
  },
  Prompt: { ...COMMON, complete: [null, 1, "x", [], { id: 1 }, { id: ["a"] }, { ids: fn }] },
  Resource: {
    ...COMMON,
    mimeType: NOT_NAME,
    size: NOT_SIZE,
    annotations: [
      null,
      1,
      "x",
      [],
      { audience: "user" },
      { audience: ["model"] },
      { priority: 2 },
      { priority: "high" },
      { lastModified: "yesterday" },
      { importance: 1 },
    ],
    cache: NOT_CACHE,
    complete: [null, 1, "x", [], { id: 1 }, { id: ["a"] }, { ids: fn }],
    list: NOT_FUNCTION,
  },
};

/** Returns the source of a value. */
export function toSource(value: unknown): string {
  if (typeof value === "function") return "(() => {})";
  if (Array.isArray(value)) return `[${value.map(toSource).join(", ")}]`;
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${toSource(each)}`)
    .join(", ")} }`;
}

/**
 * Returns an object with a value at a path.
 *
 * @example
 * nest("limits.maxDepth", 0) // { limits: { maxDepth: 0 } }
 */
export function nest(path: string, value: unknown): Record<string, unknown> {
  return path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<
    string,
    unknown
  >;
}

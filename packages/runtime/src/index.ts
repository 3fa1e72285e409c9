export { Prompt, Resource, Tool } from "./api/decorators.js";
export type {
  Completers,
  ListedResource,
  PromptOptions,
  ResourceOptions,
  ToolOptions,
} from "./api/options.js";
export { defineServer } from "./api/define-server.js";
export type { Limits } from "./api/limits.js";
export type {
  CacheOptions,
  CacheOptionsByList,
  HealthConfig,
  HttpConfig,
  HttpRequestHead,
  OutputChecks,
  Sanitize,
  ServerConfig,
  StdioConfig,
} from "./api/define-server.js";
export type { TaskAttempt, TaskExecutor, TaskWork } from "./api/task-executor.js";
export type { Routes } from "./api/routes.js";
export type { TrustedProxies } from "./transports/http/exchange/trusted-proxies.js";
export { NotFoundError, ProtocolError, ToolError } from "./api/errors.js";
export { UrlElicitationRequiredError } from "./ask/url-required.js";
export type { RequiredUrl } from "./ask/is-url-required.js";
export type {
  AskOptions,
  Context,
  ElicitAnswer,
  ElicitOptions,
  ElicitUrlAnswer,
  ElicitUrlOptions,
} from "./api/context.js";
export type { Caller, Principal, PrincipalClaims, PrincipalInput } from "./api/caller.js";
export { authorization, only } from "./api/middleware.js";
export type {
  CallResult,
  CompletionResult,
  HandlerCall,
  InputRequiredResult,
  Middleware,
} from "./api/middleware.js";
export type { LogEntry, LoggedError, LogLevel, LogSink } from "./api/log.js";
export type {
  CallEnd,
  Observation,
  ObservedCall,
  ObservedServer,
  Observer,
  Outcome,
  RefusedRequest,
} from "./api/observer.js";
export { createNotifier } from "./api/notifier.js";
export type { Change, ListName, Notifier, Notify } from "./api/notifier.js";
export { resolveInRoots } from "./api/roots.js";
export type { JsonSchema, JsonValue } from "./protocol/json-schema.js";
export type { RateLimitOf } from "./api/rate-limit.js";
export type { Profile, RateLimit, UnknownArguments } from "./manifest.js";
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  ClientCapabilities,
  Content,
  CreateMessageParams,
  CreateMessageResult,
  EmbeddedResource,
  Icon,
  ImageContent,
  LoggingLevel,
  PromptMessage,
  PromptResult,
  ResourceContents,
  ResourceLink,
  ResourceResult,
  Role,
  Root,
  SamplingContent,
  SamplingMessage,
  TextContent,
  TextResourceContents,
  ToolResult,
} from "./protocol/specification.js";

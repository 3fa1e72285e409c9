export { Prompt, Resource, Tool } from "./api/decorators.js";
export type {
  Completers,
  ListedResource,
  ListedResources,
  PromptOptions,
  ResourceOptions,
  ToolOptions,
  ViewDisplayMode,
  OpenAiToolOptions,
  OpenAiViewOptions,
  ViewOptions,
  ViewOrigins,
  ViewPermission,
} from "./api/options.js";
export { defineServer } from "./api/define-server.js";
export type { Limits } from "./api/limits.js";
export type {
  CacheOptions,
  CacheOptionsByList,
  Dialect,
  FilesConfig,
  OutputValidation,
  Sanitize,
  ServerConfig,
  SkillOptions,
  StdioConfig,
} from "./api/define-server.js";
export type { HealthConfig, HttpConfig, HttpRequestHead, TrustedProxies } from "./api/http-config.js";
export type { TaskAttempt, TaskExecutor, TaskRunner } from "./api/task-executor.js";
export type { Routes } from "./api/routes.js";
export type { FileLinks } from "./api/file-links.js";
export type { ServerCard } from "./api/server-card.js";
export { NotFoundError, ProtocolError, ToolError } from "./api/errors.js";
export { UrlElicitationRequiredError } from "./call/input/url-required.js";
export type { UrlElicitation } from "./call/input/is-url-required.js";
export type {
  InputRequestOptions,
  Context,
  ElicitResult,
  AskFormOptions,
  ElicitOptions,
  ElicitUrlResult,
  ElicitUrlOptions,
} from "./api/context.js";
export type { Cursor, Page, PageOptions } from "./api/cursor.js";
export type { ActorToken, ExchangedToken, ExchangeRequest } from "./api/exchange.js";
export type { Caller, Principal, PrincipalClaims, PrincipalInput } from "./api/caller.js";
export { authorization, middlewareFor } from "./api/middleware.js";
export type {
  CallResult,
  CompletionResult,
  HandlerCall,
  InputRequiredResult,
  Middleware,
} from "./api/middleware.js";
export type { LogEntry, LoggedError, LogLevel, LogSink } from "./api/log.js";
export type {
  CallSummary,
  Observation,
  ObservedCall,
  ObservedServer,
  Observer,
  Outcome,
  RejectedRequest,
} from "./api/observer.js";
export { createNotifier } from "./api/notifier.js";
export type { Change, ListName, Notifier, Notify } from "./api/notifier.js";
export { resolveInRoots } from "./api/roots.js";
export type { JsonSchema, JsonValue } from "./protocol/json-schema.js";
export type { RateLimitResolver } from "./api/rate-limit.js";
export type { Profile, RateLimit, ToolVisibility, UnknownArguments } from "./manifest.js";
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

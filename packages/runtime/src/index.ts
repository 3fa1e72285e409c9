export { Prompt, Resource, Tool } from "./decorators.js";
export type {
  Completers,
  ListedResource,
  PromptOptions,
  ResourceOptions,
  ToolOptions,
} from "./decorators.js";
export { defineServer } from "./define-server.js";
export type {
  CacheOptions,
  CacheOptionsByList,
  HttpConfig,
  HttpRequestHead,
  Limits,
  ServerConfig,
} from "./define-server.js";
export { ProtocolError, ToolError } from "./errors.js";
export { UrlElicitationRequiredError } from "./ask/url-required.js";
export type { RequiredUrl } from "./ask/url-required.js";
export type {
  AskOptions,
  Context,
  ElicitAnswer,
  ElicitOptions,
  ElicitUrlAnswer,
  ElicitUrlOptions,
} from "./context.js";
export { createNotifier } from "./notifier.js";
export type { Change, ListName, Notifier, Notify } from "./notifier.js";
export type { JsonSchema, JsonValue } from "./json-schema.js";
export type { Profile, UnknownArguments } from "./manifest.js";
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
} from "./protocol.js";

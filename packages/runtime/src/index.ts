export { Prompt, Resource, Tool } from "./decorators.js";
export type {
  Completers,
  ListedResource,
  PromptOptions,
  ResourceOptions,
  ToolOptions,
} from "./decorators.js";
export { defineServer } from "./define-server.js";
export type { HttpConfig, Limits, ServerConfig } from "./define-server.js";
export { ToolError } from "./errors.js";
export type { Context } from "./context.js";
export type { JsonSchema, JsonValue } from "./json-schema.js";
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  Content,
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
  TextContent,
  TextResourceContents,
  ToolResult,
} from "./protocol.js";

/**
 * Types of the specification that server authors or the manifest need, with the specification's names and in the
 * shape of the newest revision. Older revisions are projections.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema
 * @module
 */
import type { JsonSchema } from "./json-schema.js";

/** Free-form metadata. Keys with a prefix belong to the owner of the prefix. */
export type Meta = Record<string, unknown>;

export type Role = "user" | "assistant";

export interface Icon {
  src: string;
  mimeType?: string | undefined;
  /** Such as `"48x48"` or `"any"`. */
  sizes?: string[] | undefined;
  theme?: "light" | "dark" | undefined;
}

export interface Implementation {
  name: string;
  title?: string | undefined;
  version: string;
  description?: string | undefined;
  websiteUrl?: string | undefined;
  icons?: Icon[] | undefined;
}

export interface Annotations {
  audience?: Role[] | undefined;
  /** From 0 (entirely optional) to 1 (effectively required). */
  priority?: number | undefined;
  /** ISO 8601. */
  lastModified?: string | undefined;
}

export interface ToolAnnotations {
  title?: string | undefined;
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
}

export interface Tool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema | undefined;
  annotations?: ToolAnnotations | undefined;
  _meta?: Meta | undefined;
}

export interface PromptArgument {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  required?: boolean | undefined;
}

export interface Prompt {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  arguments?: PromptArgument[] | undefined;
  _meta?: Meta | undefined;
}

export interface Resource {
  uri: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  mimeType?: string | undefined;
  /** In bytes. */
  size?: number | undefined;
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

/**
 * A file of a skill, with the digest of its content.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export interface SkillResource {
  uri: string;
  /** `sha256:` and 64 lowercase hexadecimal digits. */
  digest: string;
  /** In bytes. */
  size: number;
}

/** A skill as clients list it. */
export interface Skill {
  /** The URI of its SKILL.md. */
  uri: string;
  /** The frontmatter of SKILL.md. Every member is as the author wrote it. */
  frontmatter: { name: string; description: string; [member: string]: unknown };
  /** All files, including SKILL.md; `"dynamic"` if a method generates them, so that they have no stable digests. */
  resources: SkillResource[] | "dynamic";
}

export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  icons?: Icon[] | undefined;
  mimeType?: string | undefined;
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

export interface TextContent {
  type: "text";
  text: string;
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

export interface ImageContent {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

export interface AudioContent {
  type: "audio";
  /** Base64. */
  data: string;
  mimeType: string;
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

export interface TextResourceContents {
  uri: string;
  mimeType?: string | undefined;
  text: string;
  _meta?: Meta | undefined;
}

export interface BlobResourceContents {
  uri: string;
  /** Default: that of the `@Resource` that is read, or `application/octet-stream`. Bytes do not show their type. */
  mimeType?: string | undefined;
  /** Base64. */
  blob: string;
  _meta?: Meta | undefined;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;

export interface EmbeddedResource {
  type: "resource";
  resource: ResourceContents;
  annotations?: Annotations | undefined;
  _meta?: Meta | undefined;
}

export interface ResourceLink extends Resource {
  type: "resource_link";
}

/** Block of content that a tool returns or a prompt contains (the specification's `ContentBlock`). */
export type Content = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/**
 * Complete result of a tool, for full control (the specification's `CallToolResult`).
 *
 * @example
 * // The output schema is that of `Forecast`; the text is the author's own.
 * forecast(city: string): ToolResult<Forecast> {
 *   const data = this.lookUp(city);
 *   return { content: [{ type: "text", text: `${data.celsius} °C` }], structuredContent: data };
 * }
 */
export interface ToolResult<Structured = unknown> {
  content: Content[];
  /** Data for programs. A result that reports a failure omits it. */
  structuredContent?: Structured | undefined;
  isError?: boolean | undefined;
  _meta?: Meta | undefined;
}

export interface PromptMessage {
  role: Role;
  content: Content;
}

/** Complete result of a prompt, for full control (the specification's `GetPromptResult`). */
export interface PromptResult {
  description?: string | undefined;
  messages: PromptMessage[];
  _meta?: Meta | undefined;
}

/** Complete result of a resource, for full control (the specification's `ReadResourceResult`). */
export interface ResourceResult {
  contents: ResourceContents[];
  _meta?: Meta | undefined;
}

/** Folder or file to which the client gives access. */
export interface Root {
  /** `file://` URI. */
  uri: string;
  name?: string | undefined;
  _meta?: Meta | undefined;
}

/** Request of the model to call a tool. */
export interface ToolUseContent {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
  _meta?: Meta | undefined;
}

/** Result of a tool that the model called. */
export interface ToolResultContent {
  type: "tool_result";
  toolUseId: string;
  content: Content[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
  _meta?: Meta | undefined;
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

export interface SamplingMessage {
  role: Role;
  content: SamplingContent | SamplingContent[];
  _meta?: Meta | undefined;
}

export interface ModelPreferences {
  /** Names or partial names of models. The first one that the client has is preferred. */
  hints?: { name?: string }[];
  /** From 0 to 1, like the other priorities. */
  costPriority?: number | undefined;
  speedPriority?: number | undefined;
  intelligencePriority?: number | undefined;
}

/** @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling */
export interface CreateMessageParams {
  messages: SamplingMessage[];
  maxTokens: number;
  systemPrompt?: string | undefined;
  modelPreferences?: ModelPreferences | undefined;
  includeContext?: "none" | "thisServer" | "allServers" | undefined;
  temperature?: number | undefined;
  stopSequences?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Only for clients that declare `sampling.tools`, like `toolChoice`. */
  tools?: Tool[] | undefined;
  toolChoice?: { mode?: "auto" | "required" | "none" };
}

export interface CreateMessageResult {
  role: Role;
  content: SamplingContent | SamplingContent[];
  /** The name of the model. */
  model: string;
  /** Such as `"endTurn"`, `"maxTokens"`, or `"toolUse"`. */
  stopReason?: string | undefined;
  _meta?: Meta | undefined;
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging */
export type LoggingLevel =
  "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

export interface ClientCapabilities {
  experimental?: Record<string, object> | undefined;
  extensions?: Record<string, object> | undefined;
  roots?: { listChanged?: boolean };
  sampling?: { context?: object; tools?: object };
  elicitation?: { form?: object; url?: object };
  [capability: string]: unknown;
}

export interface ServerCapabilities {
  experimental?: Record<string, object> | undefined;
  extensions?: Record<string, object> | undefined;
  logging?: object | undefined;
  completions?: object | undefined;
  prompts?: { listChanged?: boolean };
  resources?: { subscribe?: boolean; listChanged?: boolean };
  tools?: { listChanged?: boolean };
}

import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
  Prompt,
  PromptResult,
  Resource,
  ResourceResult,
  ResourceTemplate,
  ServerCapabilities,
  Tool,
  ToolResult,
} from "../protocol/specification.js";
import type { PrincipalInput } from "../api/caller.js";
import type { Answers } from "./answers.js";

export interface ConnectOptions {
  /** The protocol revision to speak. Default: the newest. */
  revision?: string;
  /** Default: what `answers` can answer. */
  capabilities?: ClientCapabilities;
  answers?: Answers;
  clientInfo?: Implementation;
  /** On whose behalf to call: a subject, or with scopes and claims. Default: nobody known. */
  principal?: PrincipalInput;
  /** The IP address from which to call, for what depends on `ctx.address`. Default: none, as over stdio. */
  address?: string;
  /** Ask for log messages of this level and above, of a server that writes any. */
  logLevel?: LoggingLevel;
  /** Sees every message that the server sends, as it is on the wire. */
  onMessage?: (message: Record<string, unknown>) => void;
  /** False hides what handlers throw, as a server in production does. Default true. */
  showErrors?: boolean;
}

export interface RequestOptions {
  /** Abort to cancel the request. */
  signal?: AbortSignal;
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

export interface TestClient {
  readonly revision: string;
  /** What the server says of itself. */
  readonly server: { info?: Implementation; capabilities: ServerCapabilities; instructions?: string };
  /** The notifications received so far, oldest first; of more than ten thousand, the last nine thousand or more. */
  readonly notifications: readonly { method: string; params: Record<string, unknown> }[];
  /** Like the other lists, whole: further pages are fetched. */
  listTools(): Promise<Tool[]>;
  callTool(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<ToolResult>;
  listPrompts(): Promise<Prompt[]>;
  getPrompt(name: string, args?: Record<string, string>, options?: RequestOptions): Promise<PromptResult>;
  listResources(): Promise<Resource[]>;
  listResourceTemplates(): Promise<ResourceTemplate[]>;
  readResource(uri: string, options?: RequestOptions): Promise<ResourceResult>;
  /** Suggestions for an argument of a prompt or a variable of a URI template. */
  complete(
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    argument: { name: string; value: string },
    others?: Record<string, string>,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }>;
  /** Legacy revisions only. */
  ping(): Promise<void>;
  /** Any request; what the revision needs around it is added. */
  request(
    method: string,
    params?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Record<string, unknown>>;
  /** Any notification, such as `notifications/roots/list_changed` when `answers.roots` has. */
  notify(method: string, params?: Record<string, unknown>): void;
  close(): void;
}

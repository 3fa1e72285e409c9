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
  Skill,
  Tool,
  ToolResult,
} from "../protocol/specification.js";
import type { PrincipalInput } from "../api/caller.js";
import type { Answers } from "./answers.js";

/** Options for `connect`. */
export interface ConnectOptions {
  /** Protocol revision to use. Default: the newest. */
  revision?: string | undefined;
  /** Client capabilities to declare, in addition to those that `answers` covers. */
  capabilities?: ClientCapabilities | undefined;
  answers?: Answers | undefined;
  clientInfo?: Implementation | undefined;
  /** Caller: a subject, or a principal with scopes and claims. Default: an anonymous caller. */
  principal?: PrincipalInput | undefined;
  /** IP address of the client, for code that depends on `ctx.address`. Default: none, as over stdio. */
  address?: string | undefined;
  /** Minimum level of the log messages to request, if the server writes any. */
  logLevel?: LoggingLevel | undefined;
  /** Receives every message that the server sends, unchanged. */
  onMessage?: ((message: Record<string, unknown>) => void) | undefined;
  /** Whether the client receives the messages of errors that handlers throw. False hides them, as in production. Default: true. */
  showErrors?: boolean | undefined;
}

/** Options for a request. */
export interface RequestOptions {
  /** Cancels the request when it aborts. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { progress: number; total?: number; message?: string }) => void) | undefined;
}

/** A client that is connected to a server in the same process. */
export interface TestClient {
  readonly revision: string;
  /** Information, capabilities, and instructions that the server reported. */
  readonly server: { info?: Implementation; capabilities: ServerCapabilities; instructions?: string };
  /** Notifications received so far, oldest first. Beyond ten thousand, the oldest thousand are dropped. */
  readonly notifications: readonly { method: string; params: Record<string, unknown> }[];
  /** Lists all tools, from all pages. The other list methods also fetch all pages. */
  listTools(): Promise<Tool[]>;
  callTool(name: string, args?: Record<string, unknown>, options?: RequestOptions): Promise<ToolResult>;
  listPrompts(): Promise<Prompt[]>;
  getPrompt(name: string, args?: Record<string, string>, options?: RequestOptions): Promise<PromptResult>;
  listResources(): Promise<Resource[]>;
  listResourceTemplates(): Promise<ResourceTemplate[]>;
  /** Lists all skills, from all pages. Requires a modern revision. */
  listSkills(): Promise<Skill[]>;
  /**
   * Reads all files of a skill, and returns them by their paths in its folder: as text, or as bytes if they are not
   * UTF-8. As clients do, it checks their digests and sizes. Generated skills have neither.
   *
   * @param uri the URI of its SKILL.md
   * @throws Error for a file that clients would reject
   */
  readSkill(uri: string): Promise<Record<string, string | Uint8Array>>;
  readResource(uri: string, options?: RequestOptions): Promise<ResourceResult>;
  /** Returns suggestions for an argument of a prompt or a variable of a URI template. */
  complete(
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    argument: { name: string; value: string },
    others?: Record<string, string>,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }>;
  /** Sends a ping. Available only in legacy revisions. */
  ping(): Promise<void>;
  /** Sends any request, and adds what the revision requires. */
  request(
    method: string,
    params?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<Record<string, unknown>>;
  /** Sends any notification, such as `notifications/roots/list_changed` when `answers.roots` has changed. */
  notify(method: string, params?: Record<string, unknown>): void;
  close(): void;
}

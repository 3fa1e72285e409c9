/**
 * An in-memory client, for tests of servers: no process, no port, and what handlers throw is shown.
 * @module
 */
import type { TransportConnection } from "../transports/transport.js";
import * as ErrorCode from "../protocol/error-codes.js";
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LOG_LEVEL,
  PROTOCOL_VERSION,
  SERVER_INFO,
} from "../protocol/meta-keys.js";
import { errorText, type RequestId, resultText } from "../protocol/jsonrpc.js";
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
import { findRevision, LATEST } from "../protocol/revisions.js";
import type { Server } from "../server.js";
import { answerAll, answerQuestion, type Answers, capabilitiesFor } from "./answers.js";

export type { Answers, Elicitation } from "./answers.js";

export interface ConnectOptions {
  /** The protocol revision to speak. Default: the newest. */
  revision?: string;
  /** Default: what `answers` can answer. */
  capabilities?: ClientCapabilities;
  answers?: Answers;
  clientInfo?: Implementation;
  /** Ask for log messages of this level and above, of a server that writes any. */
  logLevel?: LoggingLevel;
  /** Sees every message that the server sends, as it is on the wire. */
  onMessage?: (message: Record<string, unknown>) => void;
  /**
   * False hides what handlers throw and takes results as they are, as a server in production does. Default true: what
   * breaks a tool's output schema is an error.
   */
  showErrors?: boolean;
}

/** A JSON-RPC error, as the client got it. */
export class RpcError extends Error {
  override name = "RpcError";

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
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
  /** The notifications received so far, oldest first. */
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
  close(): void;
}

/**
 * Connects to a server in this process.
 *
 * @throws RpcError from every method, when the server answers with a JSON-RPC error.
 * @example
 * const client = await connect(server);
 * const result = await client.callTool("current", { city: "Oslo" });
 */
export async function connect(server: Server, options: ConnectOptions = {}): Promise<TestClient> {
  const id = options.revision ?? LATEST.id;
  const revision = findRevision(id);
  if (revision === undefined) throw new Error(`The protocol revision "${id}" is not supported.`);
  const client = new MemoryClient(server, id, revision.era === "modern", options);
  await client.open();
  return client;
}

interface Waiting {
  resolve: (result: Record<string, unknown>) => void;
  reject: (error: unknown) => void;
  onProgress?: RequestOptions["onProgress"];
}

class MemoryClient implements TestClient {
  readonly notifications: { method: string; params: Record<string, unknown> }[] = [];
  server: TestClient["server"] = { capabilities: {} };
  readonly #connection: TransportConnection;
  readonly #options: ConnectOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #isModern: boolean;
  #nextId = 1;

  constructor(
    server: Server,
    readonly revision: string,
    isModern: boolean,
    options: ConnectOptions,
  ) {
    this.#isModern = isModern;
    this.#options = options;
    this.#connection = server.connect(
      { send: (text) => this.#receive(text) },
      { isDevelopment: options.showErrors !== false },
    );
  }

  async open(): Promise<void> {
    const { clientInfo = { name: "test", version: "1.0.0" }, logLevel } = this.#options;
    if (this.#isModern) {
      const found = await this.request("server/discover");
      const meta = found._meta as Record<string, unknown> | undefined;
      this.server = describeServer(found, meta?.[SERVER_INFO]);
      return;
    }
    const found = await this.request("initialize", {
      protocolVersion: this.revision,
      capabilities: this.#capabilities,
      clientInfo,
    });
    this.server = describeServer(found, found.serverInfo);
    this.#connection.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
    if (logLevel !== undefined && this.server.capabilities.logging !== undefined) {
      await this.request("logging/setLevel", { level: logLevel });
    }
  }

  listTools(): Promise<Tool[]> {
    return this.#all<Tool>("tools/list", "tools");
  }

  async callTool(
    name: string,
    args: Record<string, unknown> = {},
    options?: RequestOptions,
  ): Promise<ToolResult> {
    const result = await this.request("tools/call", { name, arguments: args }, options);
    return result as unknown as ToolResult;
  }

  listPrompts(): Promise<Prompt[]> {
    return this.#all<Prompt>("prompts/list", "prompts");
  }

  async getPrompt(
    name: string,
    args: Record<string, string> = {},
    options?: RequestOptions,
  ): Promise<PromptResult> {
    const result = await this.request("prompts/get", { name, arguments: args }, options);
    return result as unknown as PromptResult;
  }

  listResources(): Promise<Resource[]> {
    return this.#all<Resource>("resources/list", "resources");
  }

  listResourceTemplates(): Promise<ResourceTemplate[]> {
    return this.#all<ResourceTemplate>("resources/templates/list", "resourceTemplates");
  }

  async readResource(uri: string, options?: RequestOptions): Promise<ResourceResult> {
    return (await this.request("resources/read", { uri }, options)) as unknown as ResourceResult;
  }

  async complete(
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string },
    argument: { name: string; value: string },
    others?: Record<string, string>,
  ): Promise<{ values: string[]; total?: number; hasMore?: boolean }> {
    const context = others === undefined ? {} : { context: { arguments: others } };
    const result = await this.request("completion/complete", { ref, argument, ...context });
    return result.completion as { values: string[]; total?: number; hasMore?: boolean };
  }

  async ping(): Promise<void> {
    await this.request("ping");
  }

  async request(
    method: string,
    params: Record<string, unknown> = {},
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    let result = await this.#send(method, params, options);
    while (result.resultType === "input_required" && this.#options.answers !== undefined) {
      const inputResponses = await answerAll(this.#options.answers, result.inputRequests);
      const { requestState } = result;
      const state = requestState === undefined ? {} : { requestState };
      result = await this.#send(method, { ...params, inputResponses, ...state }, options);
    }
    return result;
  }

  #send(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    const id = this.#nextId++;
    const message = { jsonrpc: "2.0", id, method, params: this.#withMeta(params, id, options) };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress: options.onProgress });
      options.signal?.addEventListener("abort", () => this.#cancel(id, options.signal?.reason));
      // Through text, as on any wire, so that nothing is shared between client and server.
      const reply = this.#connection.receive(JSON.parse(JSON.stringify(message)));
      void Promise.resolve(reply).then((answer) => {
        if (answer !== undefined) this.#receive(answer.text);
      });
    });
  }

  close(): void {
    this.#connection.close();
    for (const waiting of this.#waiting.values()) waiting.reject(new Error("The client was closed."));
    this.#waiting.clear();
  }

  #withMeta(params: Record<string, unknown>, id: number, options: RequestOptions): Record<string, unknown> {
    const { clientInfo = { name: "test", version: "1.0.0" }, logLevel } = this.#options;
    const meta: Record<string, unknown> = { ...(params._meta as Record<string, unknown> | undefined) };
    if (this.#isModern) {
      meta[PROTOCOL_VERSION] ??= this.revision;
      meta[CLIENT_CAPABILITIES] ??= this.#capabilities;
      meta[CLIENT_INFO] ??= clientInfo;
      if (logLevel !== undefined) meta[LOG_LEVEL] ??= logLevel;
    }
    if (options.onProgress !== undefined) meta.progressToken ??= id;
    return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
  }

  /** Every page of a list, as one. */
  async #all<Item>(method: string, member: string): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: unknown;
    do {
      const page = await this.request(method, cursor === undefined ? {} : { cursor });
      items.push(...(page[member] as Item[]));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return items;
  }

  #cancel(id: number, reason: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    const params = { requestId: id, reason: String(reason) };
    this.#connection.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    waiting.reject(reason);
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Record<string, unknown>;
    this.#options.onMessage?.(message);
    if (typeof message.method === "string" && message.id !== undefined) {
      void this.#respond(message.id as RequestId, message.method, message.params);
      return;
    }
    if (typeof message.method === "string") {
      this.#note(message.method, (message.params ?? {}) as Record<string, unknown>);
      return;
    }
    const waiting = this.#waiting.get(message.id as number);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id as number);
    const error = message.error as { code: number; message: string; data?: unknown } | undefined;
    if (error === undefined) waiting.resolve(message.result as Record<string, unknown>);
    else waiting.reject(new RpcError(error.code, error.message, error.data));
  }

  get #capabilities(): ClientCapabilities {
    return this.#options.capabilities ?? capabilitiesFor(this.#options.answers);
  }

  /** Answers a request of the server's own, as legacy revisions have them. */
  async #respond(id: RequestId, method: string, params: unknown): Promise<void> {
    let text: string;
    try {
      text = resultText(id, JSON.stringify(await answerQuestion(this.#options.answers, method, params)));
    } catch (error) {
      text = errorText(id, ErrorCode.InternalError, String(error));
    }
    this.#connection.receive(JSON.parse(text));
  }

  #note(method: string, params: Record<string, unknown>): void {
    this.notifications.push({ method, params });
    if (method !== "notifications/progress") return;
    const progress = params as unknown as { progress: number; total?: number; message?: string };
    this.#waiting.get(params.progressToken as number)?.onProgress?.(progress);
  }
}

function describeServer(found: Record<string, unknown>, info: unknown): TestClient["server"] {
  return {
    capabilities: found.capabilities as ServerCapabilities,
    ...(info === undefined ? {} : { info: info as Implementation }),
    ...(typeof found.instructions === "string" ? { instructions: found.instructions } : {}),
  };
}

import { toPrincipal } from "../access/principal.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { toErrorText, toNotificationText, type RequestId, toResultText } from "../protocol/jsonrpc.js";
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LOG_LEVEL,
  PROTOCOL_VERSION,
  SERVER_INFO,
} from "../protocol/meta-keys.js";
import type { Revision } from "../protocol/revisions.js";
import type {
  ClientCapabilities,
  Implementation,
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
import type { Server } from "../server.js";
import { readSkillFiles } from "./skill-files.js";
import { answerAll, answerRequest, getClientCapabilities } from "./answers.js";
import { MemoryTransport } from "./memory-transport.js";
import type { ConnectOptions, RequestOptions, TestClient } from "./test-client.js";

/** Maximum number of stored notifications. Beyond it, the oldest tenth is dropped. */
const MAX_NOTIFICATIONS = 10_000;

/** Client of a server in this process. It uses one revision. */
export class MemoryClient implements TestClient {
  readonly revision: string;
  readonly notifications: { method: string; params: Record<string, unknown> }[] = [];
  server: TestClient["server"] = { capabilities: {} };
  readonly #transport: MemoryTransport;
  readonly #options: ConnectOptions;
  readonly #isModern: boolean;
  readonly #onProgress = new Map<unknown, NonNullable<RequestOptions["onProgress"]>>();
  #nextId = 1;

  constructor(server: Server, { id, era }: Revision, options: ConnectOptions) {
    this.revision = id;
    this.#isModern = era === "modern";
    this.#options = options;
    this.#transport = new MemoryTransport(server, {
      isDevelopment: options.showErrors !== false,
      principal: options.principal === undefined ? undefined : toPrincipal(options.principal),
      address: options.address,
      onMessage: (message) => options.onMessage?.(message),
      onCall: (method, params, requestId) => {
        if (requestId === undefined) this.#receiveNotification(method, params);
        else void this.#answer(requestId, method, params);
      },
    });
  }

  async open(): Promise<void> {
    const { clientInfo = { name: "test", version: "1.0.0" }, logLevel } = this.#options;
    if (this.#isModern) {
      const found = await this.request("server/discover");
      const meta = found._meta as Record<string, unknown> | undefined;
      this.server = readServer(found, meta?.[SERVER_INFO]);
      return;
    }
    const found = await this.request("initialize", {
      protocolVersion: this.revision,
      capabilities: this.#capabilities,
      clientInfo,
    });
    this.server = readServer(found, found.serverInfo);
    this.#transport.send(toNotificationText("notifications/initialized"));
    if (logLevel !== undefined && this.server.capabilities.logging !== undefined) {
      await this.request("logging/setLevel", { level: logLevel });
    }
  }

  listTools(): Promise<Tool[]> {
    return this.#listAll<Tool>("tools/list", "tools");
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
    return this.#listAll<Prompt>("prompts/list", "prompts");
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
    return this.#listAll<Resource>("resources/list", "resources");
  }

  listResourceTemplates(): Promise<ResourceTemplate[]> {
    return this.#listAll<ResourceTemplate>("resources/templates/list", "resourceTemplates");
  }

  listSkills(): Promise<Skill[]> {
    return this.#listAll<Skill>("skills/list", "skills");
  }

  async readSkill(uri: string): Promise<Record<string, string | Uint8Array>> {
    const { skill } = (await this.request("skills/get", { uri })) as unknown as { skill: Skill };
    return readSkillFiles(skill, {
      readResource: (file) => this.readResource(file),
      readDirectory: (folder) =>
        this.#listAll<Resource>("resources/directory/read", "resources", { uri: folder }),
    });
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

  notify(method: string, params?: Record<string, unknown>): void {
    this.#transport.send(toNotificationText(method, params));
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

  close(): void {
    this.#transport.close();
  }

  async #send(
    method: string,
    params: Record<string, unknown>,
    { signal, onProgress }: RequestOptions,
  ): Promise<Record<string, unknown>> {
    const id = this.#nextId++;
    if (onProgress !== undefined) this.#onProgress.set(id, onProgress);
    try {
      const fullParams = this.#withMeta(params, onProgress === undefined ? undefined : id);
      return await this.#transport.request(id, method, fullParams, signal);
    } finally {
      this.#onProgress.delete(id);
    }
  }

  /** Adds the `_meta` members that the revision requires, and the progress token. */
  #withMeta(params: Record<string, unknown>, progressToken: number | undefined): Record<string, unknown> {
    const { clientInfo = { name: "test", version: "1.0.0" }, logLevel } = this.#options;
    const meta: Record<string, unknown> = { ...(params._meta as Record<string, unknown> | undefined) };
    if (this.#isModern) {
      meta[PROTOCOL_VERSION] ??= this.revision;
      meta[CLIENT_CAPABILITIES] ??= this.#capabilities;
      meta[CLIENT_INFO] ??= clientInfo;
      if (logLevel !== undefined) meta[LOG_LEVEL] ??= logLevel;
    }
    if (progressToken !== undefined) meta.progressToken ??= progressToken;
    return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
  }

  /** Fetches all pages of a list and returns their items as one list. */
  async #listAll<Item>(
    method: string,
    member: string,
    params: Record<string, unknown> = {},
  ): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: unknown;
    do {
      const page = await this.request(method, cursor === undefined ? params : { ...params, cursor });
      items.push(...(page[member] as Item[]));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return items;
  }

  get #capabilities(): ClientCapabilities {
    return { ...getClientCapabilities(this.#options.answers), ...this.#options.capabilities };
  }

  /** Answers a request that the server sends, as in legacy revisions. */
  async #answer(id: RequestId, method: string, params: unknown): Promise<void> {
    let text: string;
    try {
      text = toResultText(id, JSON.stringify(await answerRequest(this.#options.answers, method, params)));
    } catch (error) {
      text = toErrorText(id, ErrorCode.InternalError, String(error));
    }
    this.#transport.send(text);
  }

  #receiveNotification(method: string, params: Record<string, unknown>): void {
    if (this.notifications.push({ method, params }) > MAX_NOTIFICATIONS)
      this.notifications.splice(0, MAX_NOTIFICATIONS / 10);
    if (method !== "notifications/progress") return;
    const progress = params as unknown as { progress: number; total?: number; message?: string };
    this.#onProgress.get(params.progressToken)?.(progress);
  }
}

function readServer(found: Record<string, unknown>, info: unknown): TestClient["server"] {
  return {
    capabilities: found.capabilities as ServerCapabilities,
    ...(info === undefined ? {} : { info: info as Implementation }),
    ...(typeof found.instructions === "string" ? { instructions: found.instructions } : {}),
  };
}

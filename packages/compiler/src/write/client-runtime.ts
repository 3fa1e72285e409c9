/**
 * The part of a typed client that is the same for every server. It is text, because it is copied into the user's module.
 * @module
 */
import { readFileSync } from "node:fs";

/** Names that the module already uses, so generated types cannot have them. */
export const CLIENT_NAMES_IN_USE = [
  ...["Array", "Error", "JSON", "Map", "Math", "Object", "Promise", "Record", "RegExp", "String", "URL"],
  ...["NonNullable", "Parameters", "Pick", "Readonly"],
  ...["CallToolResult", "Client", "ClientOptions", "StreamableHTTPClientTransport", "Transport"],
  ...["StreamableHTTPClientTransportOptions", "Content", "CallOptions", "PromptMessage", "ResourceContents"],
  ...["Tools", "Prompts", "Resources", "ToolFailure", "ServerChangedError", "TypedServer", "ConnectOptions"],
];

/** The imports and the body of a typed client. */
export const clientRuntime = {
  imports: `import {
  type CallToolResult,
  Client,
  type ClientOptions,
  type GetPromptResult,
  type ReadResourceResult,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
} from "@modelcontextprotocol/client";

/** The result of a tool without an output schema. */
export type Content = CallToolResult["content"];
export type PromptMessage = GetPromptResult["messages"][number];
export type ResourceContents = ReadResourceResult["contents"][number];
/** Options for one request: \`signal\`, \`timeout\`, \`onprogress\`, and others. */
export type CallOptions = NonNullable<Parameters<Client["callTool"]>[1]>;
`,

  body: `/** The error that a failed tool throws. Its message is the text a model would read. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly result: CallToolResult;

  constructor(tool: string, result: CallToolResult) {
    super(getText(result.content) || \`The tool "\${tool}" failed without a message.\`);
    this.result = result;
  }
}

/** The error thrown if the server's tools or prompts differ from those this module was generated for. */
export class ServerChangedError extends Error {
  override readonly name = "ServerChangedError";
  /** Names of the tools that were removed, or whose arguments or results changed. */
  readonly tools: readonly string[];
  /** Names of the prompts that were removed, or whose arguments or suggested values changed. */
  readonly prompts: readonly string[];

  constructor(tools: readonly string[], prompts: readonly string[]) {
    const changes = [...tools, ...prompts.map((name) => \`prompt \${name}\`)];
    super(\`The server has changed since this client was generated: \${changes.join(", ")}.\`);
    this.tools = tools;
    this.prompts = prompts;
  }
}

/** A connected server with typed tools, prompts, and resources. */
export interface TypedServer {
  /** Each returns its data if it has an output schema, otherwise its content. Throws \`ToolFailure\` if the tool fails. */
  readonly tools: Tools;
  /** Each returns its messages. */
  readonly prompts: Prompts;
  /** Each returns its contents. */
  readonly resources: Resources;
  /** Names of the tools that were removed, or whose arguments or results changed, since this module was generated. */
  readonly changed: readonly string[];
  /** Names of the prompts that were removed, or whose arguments or suggested values changed, since this module was generated. */
  readonly changedPrompts: readonly string[];
  /** The underlying client, for everything else. */
  readonly client: Client;
  close(): Promise<void>;
}

/** Options for a connection. */
export interface ConnectOptions {
  /** Whether to throw \`ServerChangedError\` if tools or prompts have changed. Default: false. */
  check?: boolean;
  client?: ClientOptions;
  /** Options for a server at a URL: headers, an \`authProvider\`, and others. */
  transport?: StreamableHTTPClientTransportOptions;
}

/**
 * Connects to the server.
 *
 * @param to the server's URL, or a transport
 */
export async function connect(
  to: string | URL | Transport | undefined = SERVER_URL,
  options: ConnectOptions = {},
): Promise<TypedServer> {
  if (to === undefined) throw new Error("No server to connect to. Pass its URL or a transport.");
  const client = new Client(
    { name: "typed-client", version: "1.0.0" },
    { versionNegotiation: { mode: ERA }, ...options.client },
  );
  const isUrl = typeof to === "string" || to instanceof URL;
  await client.connect(isUrl ? new StreamableHTTPClientTransport(new URL(to), options.transport) : to);
  try {
    return await typed(client, options);
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Adds types to a connected client. */
export async function typed(client: Client, options: Pick<ConnectOptions, "check"> = {}): Promise<TypedServer> {
  // With this list, the client also validates results against their schemas.
  const listed = TOOLS.length === 0 ? [] : (await client.listTools()).tools;
  const now = new Map(listed.map((tool) => [tool.name, tool]));
  // Revisions before 2025-06-18 have no output schemas, and send data as text.
  const hasResultSchemas = (client.getNegotiatedProtocolVersion() ?? "2025-06-18") >= "2025-06-18";
  const changed = TOOLS.flatMap(([name, , given, ...results]) => {
    const tool = now.get(name);
    const isSame =
      tool !== undefined &&
      given === createFingerprint(tool.inputSchema) &&
      (!hasResultSchemas || results.includes(createFingerprint(tool.outputSchema)));
    return isSame ? [] : [name];
  });
  const changedPrompts = await findChangedPrompts(client);
  if (options.check === true && changed.length + changedPrompts.length > 0)
    throw new ServerChangedError(changed, changedPrompts);
  const tools = TOOLS.map(([name, returns, , ...results]) => {
    const schema = now.get(name)?.outputSchema;
    const call = async (args: Record<string, unknown> = {}, more?: CallOptions): Promise<unknown> => {
      const result = await client.callTool({ name, arguments: args }, more);
      if (result.isError === true) throw new ToolFailure(name, result);
      if (returns === "content") return result.content;
      if (schema === undefined) {
        const value = parseData(name, result);
        return returns === "object" && results.length > 1 && !isWrapped(value) ? { result: value } : value;
      }
      // Up to 2025-11-25, any value other than an object is wrapped in one, as its member \`result\`.
      const data: unknown = result.structuredContent;
      if (returns === "object") return schema["type"] === "object" ? data : { result: data };
      const isMember = schema["type"] === "object" && Object.keys(schema["properties"] ?? {}).join() === "result";
      return isMember && isWrapped(data) ? data.result : data;
    };
    return [name, call] as const;
  });
  const prompts = PROMPTS.map(([name]) => {
    const get = async (args: Record<string, string> = {}, more?: CallOptions): Promise<PromptMessage[]> =>
      (await client.getPrompt({ name, arguments: args }, more)).messages;
    return [name, get] as const;
  });
  const resources = RESOURCES.map(([name, kind, uri]) => {
    const read = async (
      variables: Record<string, string | string[]> = {},
      more?: CallOptions,
    ): Promise<ResourceContents[]> =>
      (await client.readResource({ uri: kind === "template" ? expandUri(uri, variables) : uri }, more)).contents;
    return [name, read] as const;
  });
  return {
    tools: Object.fromEntries(tools) as unknown as Tools,
    prompts: Object.fromEntries(prompts) as unknown as Prompts,
    resources: Object.fromEntries(resources) as unknown as Resources,
    changed,
    changedPrompts,
    client,
    close: () => client.close(),
  };
}

/** Returns the names of the prompts that differ from those this module was generated for. */
async function findChangedPrompts(client: Client): Promise<string[]> {
  if (PROMPTS.length === 0) return [];
  const listed = client.getServerCapabilities()?.prompts ? (await client.listPrompts()).prompts : [];
  const now = new Map(listed.map((prompt) => [prompt.name, prompt]));
  const names = PROMPTS.map(async ([name, , given, choices]) => {
    const prompt = now.get(name);
    if (prompt === undefined || given !== createPromptFingerprint(prompt)) return [name];
    const entries = Object.entries(choices);
    const isSame = await Promise.all(
      entries.map(([argument, values]) => hasSameChoices(client, name, argument, values)),
    );
    return isSame.includes(false) ? [name] : [];
  });
  return (await Promise.all(names)).flat();
}

/** Returns whether the server suggests these values. Lists of prompts do not contain them. */
async function hasSameChoices(
  client: Client,
  prompt: string,
  argument: string,
  values: readonly string[],
): Promise<boolean> {
  const request = { ref: { type: "ref/prompt" as const, name: prompt }, argument: { name: argument, value: "" } };
  // A server may have no suggestions, or more than fit in one response.
  const suggested = await client.complete(request).catch(() => undefined);
  if (suggested === undefined || suggested.completion.hasMore === true) return true;
  const suggestions = suggested.completion.values;
  return suggestions.length === values.length && suggestions.every((value) => values.includes(value));
}

/** Returns the data in a result without structured content, which is JSON. */
function parseData(name: string, { content, structuredContent }: CallToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  try {
    return JSON.parse(getText(content));
  } catch (cause) {
    throw new Error(\`The tool "\${name}" returned text instead of data: \${getText(content)}\`, { cause });
  }
}

function isWrapped(value: unknown): value is { result: unknown } {
  return typeof value === "object" && value !== null && "result" in value;
}

/** Returns the text in a tool's result. */
export function getText(content: Content): string {
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\\n");
}
`,
};

/**
 * Returns the source of `tool-fingerprint.ts` and `uri-expansion.ts`: clients compare tools exactly as the compiler does. The
 * package includes these files for this purpose.
 */
export function readSharedSource(): string {
  const files = ["tool-fingerprint.ts", "uri-expansion.ts"];
  const texts = files.map((name) =>
    readFileSync(new URL(`../../src/write/${name}`, import.meta.url), "utf8"),
  );
  return texts.join("\n").replaceAll(/^export /gm, "");
}

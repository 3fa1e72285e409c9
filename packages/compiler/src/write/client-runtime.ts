/**
 * What every typed client has beside its types. It is text, because it becomes a part of somebody else's module.
 * @module
 */
import { readFileSync } from "node:fs";

/** Types by these names would be taken for others in the module. */
export const CLIENT_NAMES_IN_USE = [
  ...["Array", "Error", "JSON", "Map", "Math", "Object", "Promise", "Record", "RegExp", "String", "URL"],
  ...[
    "CallToolResult",
    "Client",
    "ClientOptions",
    "StreamableHTTPClientTransport",
    "Transport",
    "UriTemplate",
  ],
  ...["StreamableHTTPClientTransportOptions", "Content", "CallOptions", "PromptMessage", "ResourceContents"],
  ...["Tools", "Prompts", "Resources", "ToolFailure", "ServerChanged", "TypedServer", "ConnectOptions"],
];

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
  UriTemplate,
} from "@modelcontextprotocol/client";

/** What a tool without an output schema answers with. */
export type Content = CallToolResult["content"];
export type PromptMessage = GetPromptResult["messages"][number];
export type ResourceContents = ReadResourceResult["contents"][number];
/** Of one request: \`signal\`, \`timeout\`, \`onprogress\` and others. */
export type CallOptions = NonNullable<Parameters<Client["callTool"]>[1]>;
`,

  body: `/** A tool failed. The message is what a model would read. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly result: CallToolResult;

  constructor(tool: string, result: CallToolResult) {
    super(textOf(result.content) || \`The tool "\${tool}" failed without a word.\`);
    this.result = result;
  }
}

/** The server is not the one that this module was made for any more. */
export class ServerChanged extends Error {
  override readonly name = "ServerChanged";
  /** The tools that are gone, or take or give something else. */
  readonly tools: readonly string[];

  constructor(tools: readonly string[]) {
    super(\`The server has changed since this client was made: \${tools.join(", ")}.\`);
    this.tools = tools;
  }
}

/** A server, typed by what it listed. */
export interface TypedServer {
  /** Each gives its data where it has an output schema, and its content otherwise; it throws \`ToolFailure\` when it fails. */
  readonly tools: Tools;
  /** Each gives its messages. */
  readonly prompts: Prompts;
  /** Each gives its contents. */
  readonly resources: Resources;
  /** The tools that are gone, or take or give something else, since this module was made. */
  readonly changed: readonly string[];
  /** Everything else that a client can do. */
  readonly client: Client;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Throws \`ServerChanged\` where the server is not as it was. */
  check?: boolean;
  client?: ClientOptions;
  /** Of a server at a URL: headers, an \`authProvider\` and others. */
  transport?: StreamableHTTPClientTransportOptions;
}

/**
 * Connects to the server.
 *
 * @param to its URL, or any way to it
 */
export async function connect(
  to: string | URL | Transport | undefined = MADE_FROM,
  options: ConnectOptions = {},
): Promise<TypedServer> {
  if (to === undefined) throw new Error("Say where the server is: its URL, or a transport.");
  const client = new Client(
    { name: "typed-client", version: "1.0.0" },
    { versionNegotiation: { mode: ERA }, ...options.client },
  );
  const isPlace = typeof to === "string" || to instanceof URL;
  await client.connect(isPlace ? new StreamableHTTPClientTransport(new URL(to), options.transport) : to);
  try {
    return await typed(client, options);
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Types a client that is connected. */
export async function typed(client: Client, options: Pick<ConnectOptions, "check"> = {}): Promise<TypedServer> {
  // Results are held to the schemas in this list by the client, too.
  const listed = TOOLS.length === 0 ? [] : (await client.listTools()).tools;
  const now = new Map(listed.map((tool) => [tool.name, fingerprintOf(tool)]));
  const changed = TOOLS.flatMap(([name, , made]) => (now.get(name) === made ? [] : [name]));
  if (options.check === true && changed.length > 0) throw new ServerChanged(changed);
  const tools = TOOLS.map(([name, isData]) => {
    const call = async (args: Record<string, unknown> = {}, more?: CallOptions): Promise<unknown> => {
      const result = await client.callTool({ name, arguments: args }, more);
      if (result.isError === true) throw new ToolFailure(name, result);
      return isData ? result.structuredContent : result.content;
    };
    return [name, call] as const;
  });
  const prompts = PROMPTS.map((name) => {
    const get = async (args: Record<string, string> = {}, more?: CallOptions): Promise<PromptMessage[]> =>
      (await client.getPrompt({ name, arguments: args }, more)).messages;
    return [name, get] as const;
  });
  const resources = RESOURCES.map(([name, uri]) => {
    const read = async (
      variables: Record<string, string | string[]> = {},
      more?: CallOptions,
    ): Promise<ResourceContents[]> =>
      (await client.readResource({ uri: new UriTemplate(uri).expand(variables) }, more)).contents;
    return [name, read] as const;
  });
  return {
    tools: Object.fromEntries(tools) as unknown as Tools,
    prompts: Object.fromEntries(prompts) as unknown as Prompts,
    resources: Object.fromEntries(resources) as unknown as Resources,
    changed,
    client,
    close: () => client.close(),
  };
}

/** The texts among what a tool answered. */
export function textOf(content: Content): string {
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\\n");
}
`,
};

/**
 * The module beside this one as text, for a client compares tools as the compiler does. The package holds its source for
 * that.
 */
export function fingerprintSource(): string {
  const file = new URL("../../src/write/tool-fingerprint.ts", import.meta.url);
  return readFileSync(file, "utf8").replaceAll(/^export /gm, "");
}

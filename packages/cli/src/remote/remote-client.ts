import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { ServerLists } from "@tenon/compiler";
import { ownVersion } from "../startup/own-version.js";
import { Failure } from "../terminal/failure.js";

/** A server that is running somewhere else, or a program that is one. */
export type RemoteTarget =
  { readonly url: URL } | { readonly command: string; readonly args: readonly string[] };

/**
 * What words of a command line name: an address, or a program and what follows it.
 *
 * @throws Failure when they name nothing
 */
export function remoteTarget(words: readonly string[]): RemoteTarget {
  const [first, ...args] = words;
  if (first === undefined)
    throw new Failure("Name the URL of a server, or the command that starts one.", { exitCode: 2 });
  if (!/^https?:/.test(first)) return { command: first, args };
  if (URL.canParse(first)) return { url: new URL(first) };
  throw new Failure(`${first} is no URL.`, { exitCode: 2 });
}

export interface RemoteOptions {
  /** Headers of every request, such as `Authorization`. */
  headers?: Readonly<Record<string, string>>;
  /** The folder in which a program is started. Default: the current one. */
  cwd?: string;
  /** Where what a program prints on stderr goes. */
  onStderr?: (text: string) => void;
}

/**
 * Connects to a server as any client does.
 *
 * @throws Failure when it cannot be reached, or does not speak the protocol
 */
export async function connectRemote(target: RemoteTarget, options: RemoteOptions = {}): Promise<Client> {
  const client = new Client({ name: "tenon", version: ownVersion() });
  try {
    await client.connect(transportTo(target, options));
    return client;
  } catch (error) {
    await client.close().catch(() => {});
    throw new Failure(`${nameOf(target)} does not answer as an MCP server: ${wordsOf(error)}`, {
      cause: error,
    });
  }
}

/** Everything a server lists, page by page. */
export async function remoteLists(client: Client): Promise<ServerLists> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const lists = {
    tools: tools ? await all((cursor) => client.listTools(cursor), "tools") : [],
    prompts: prompts ? await all((cursor) => client.listPrompts(cursor), "prompts") : [],
    resources: resources ? await all((cursor) => client.listResources(cursor), "resources") : [],
    resourceTemplates: resources
      ? await all((cursor) => client.listResourceTemplates(cursor), "resourceTemplates")
      : [],
  };
  return lists as unknown as ServerLists;
}

/** How people know a target. */
export function nameOf(target: RemoteTarget): string {
  return "url" in target ? target.url.href : [target.command, ...target.args].join(" ");
}

function transportTo(target: RemoteTarget, { headers = {}, cwd, onStderr }: RemoteOptions): Transport {
  if ("url" in target) return new StreamableHTTPClientTransport(target.url, { requestInit: { headers } });
  const transport = new StdioClientTransport({
    command: target.command,
    args: [...target.args],
    env: definedIn(process.env),
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  transport.stderr?.on("data", (data: Buffer) => onStderr?.(data.toString("utf8")));
  return transport;
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

type Page<Name extends string, Item> = { [Key in Name]: Item[] } & { nextCursor?: string | undefined };

async function all<Name extends string, Item>(
  list: (params: { cursor?: string }) => Promise<Page<Name, Item>>,
  name: Name,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor === undefined ? {} : { cursor });
    items.push(...page[name]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

function wordsOf(error: unknown): string {
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ENOENT")
    return "there is no program of that name.";
  return error instanceof Error ? error.message : String(error);
}

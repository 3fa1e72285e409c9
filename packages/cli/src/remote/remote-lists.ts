import { type Client, ProtocolError } from "@modelcontextprotocol/client";
import type { ServerLists } from "@tenon/compiler";
import type { Implementation } from "@tenon/runtime/manifest";

const KINDS = ["tool", "prompt", "resource"] as const;

/**
 * Everything a server lists, page by page.
 *
 * @param kinds the lists to ask for; the others stay empty
 */
export async function remoteLists(
  client: Client,
  kinds: readonly (typeof KINDS)[number][] = KINDS,
): Promise<ServerLists> {
  const capabilities = client.getServerCapabilities() ?? {};
  const has = (kind: (typeof KINDS)[number]): boolean =>
    kinds.includes(kind) && capabilities[`${kind}s`] !== undefined;
  const lists = {
    tools: has("tool") ? (await named("tools", client.listTools())).tools : [],
    prompts: has("prompt") ? (await named("prompts", client.listPrompts())).prompts : [],
    resources: has("resource") ? (await named("resources", client.listResources())).resources : [],
    resourceTemplates: has("resource") ? await named("resource templates", listTemplates(client)) : [],
  };
  return lists as unknown as ServerLists;
}

/** What a server says instead of a list is told with the list that it was asked for. */
async function named<T>(what: string, list: Promise<T>): Promise<T> {
  try {
    return await list;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new ProtocolError(error.code, `The server does not list its ${what}: ${error.message}`, error.data);
  }
}

/** Servers with resources need not know of templates. */
async function listTemplates(client: Client): Promise<object[]> {
  try {
    return (await client.listResourceTemplates()).resourceTemplates;
  } catch (error) {
    if ((error as { code?: unknown }).code === METHOD_NOT_FOUND) return [];
    throw error;
  }
}

/** What a client gets to know of a server before it calls anything. */
export interface SeenServer extends ServerLists {
  readonly server: Implementation;
  readonly protocolVersion: string;
  readonly era: "modern" | "legacy";
  readonly instructions?: string;
}

/** Everything that a server says of itself and lists. */
export async function seenOf(client: Client): Promise<SeenServer> {
  const instructions = client.getInstructions();
  const {
    name,
    version = "",
    ...others
  } = client.getServerVersion() ?? { name: "(a server without a name)" };
  return {
    server: { ...others, name, version } as Implementation,
    era: client.getProtocolEra() ?? "legacy",
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
    ...(instructions !== undefined && { instructions }),
    ...(await remoteLists(client)),
  };
}

const METHOD_NOT_FOUND = -32601;

import type { Client } from "@modelcontextprotocol/client";
import type { ServerLists } from "@tenon/compiler";
import type { Implementation } from "@tenon/runtime/manifest";

/** Everything a server lists, page by page. */
export async function remoteLists(client: Client): Promise<ServerLists> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const lists = {
    tools: tools ? (await client.listTools()).tools : [],
    prompts: prompts ? (await client.listPrompts()).prompts : [],
    resources: resources ? (await client.listResources()).resources : [],
    // Servers with resources need not know of templates.
    resourceTemplates: resources
      ? await client.listResourceTemplates().then(
          (page) => page.resourceTemplates,
          (error: unknown) => {
            if ((error as { code?: unknown }).code === METHOD_NOT_FOUND) return [];
            throw error;
          },
        )
      : [],
  };
  return lists as unknown as ServerLists;
}

/** What a client gets to know of a server before it calls anything. */
export interface SeenServer extends ServerLists {
  readonly server: Implementation;
  readonly protocolVersion: string;
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
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
    ...(instructions !== undefined && { instructions }),
    ...(await remoteLists(client)),
  };
}

const METHOD_NOT_FOUND = -32601;

import type { ServerLists } from "@tenon/compiler";
import { type Implementation, type Skill, SKILLS_EXTENSION } from "@tenon/runtime/manifest";
import { type Client, ProtocolError, SkillsClient } from "./official/mcp-client.js";

const KINDS = ["tool", "prompt", "resource"] as const;

/**
 * Fetches the lists of a server, with all pages.
 *
 * @param kinds the lists to fetch; the others stay empty
 */
export async function fetchLists(
  client: Client,
  kinds: readonly (typeof KINDS)[number][] = KINDS,
): Promise<ServerLists> {
  const capabilities = client.getServerCapabilities() ?? {};
  const has = (kind: (typeof KINDS)[number]): boolean =>
    kinds.includes(kind) && capabilities[`${kind}s`] !== undefined;
  const lists = {
    tools: has("tool") ? (await withListName("tools", client.listTools())).tools : [],
    prompts: has("prompt") ? (await withListName("prompts", client.listPrompts())).prompts : [],
    resources: has("resource") ? (await withListName("resources", client.listResources())).resources : [],
    resourceTemplates: has("resource") ? await withListName("resource templates", listTemplates(client)) : [],
  };
  return lists as unknown as ServerLists;
}

/** Adds the name of the list to an error of a server. */
async function withListName<T>(listName: string, list: Promise<T>): Promise<T> {
  try {
    return await list;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new ProtocolError(
      error.code,
      `The server does not list its ${listName}: ${error.message}`,
      error.data,
    );
  }
}

/** Fetches the templates, which some servers with resources do not support. */
async function listTemplates(client: Client): Promise<object[]> {
  try {
    return (await client.listResourceTemplates()).resourceTemplates;
  } catch (error) {
    if ((error as { code?: unknown }).code === METHOD_NOT_FOUND) return [];
    throw error;
  }
}

/** The information and lists of a server. */
export interface ListedServer extends ServerLists {
  readonly server: Implementation;
  readonly protocolVersion: string;
  readonly era: "modern" | "legacy";
  readonly instructions?: string;
  /** Absent if the server does not declare skills. */
  readonly skills?: readonly Skill[];
}

/** Fetches the information and all lists of a server. */
export async function listServer(client: Client): Promise<ListedServer> {
  const instructions = client.getInstructions();
  const skills = await fetchSkills(client);
  const { name, version = "", ...others } = client.getServerVersion() ?? { name: "(unnamed server)" };
  return {
    server: { ...others, name, version } as Implementation,
    era: client.getProtocolEra() ?? "legacy",
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
    ...(instructions !== undefined && { instructions }),
    ...(await fetchLists(client)),
    ...(skills && { skills }),
  };
}

/** Fetches the skills of a server, without those that clients reject. Returns undefined if it declares none. */
async function fetchSkills(client: Client): Promise<Skill[] | undefined> {
  if (client.getServerCapabilities()?.extensions?.[SKILLS_EXTENSION] === undefined) return undefined;
  const { skills } = await withListName("skills", new SkillsClient(client, { skipInvalid: true }).list());
  return skills as Skill[];
}

const METHOD_NOT_FOUND = -32601;

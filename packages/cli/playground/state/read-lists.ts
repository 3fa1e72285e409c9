import { SKILLS_EXTENSION } from "@tenon/runtime/manifest";
import type { TestClient } from "@tenon/runtime/testing";
import type { Lists } from "./entries.js";

/** Reads the lists that a server declares in its capabilities. */
export async function readLists(client: TestClient): Promise<Lists> {
  const has = client.server.capabilities;
  const [tools, prompts, resources, templates, skills] = await Promise.all([
    has.tools ? client.listTools() : [],
    has.prompts ? client.listPrompts() : [],
    has.resources ? client.listResources() : [],
    has.resources ? client.listResourceTemplates() : [],
    has.extensions?.[SKILLS_EXTENSION] ? client.listSkills() : [],
  ]);
  return { tools, prompts, resources, templates, skills };
}

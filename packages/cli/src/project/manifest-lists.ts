import type { ServerLists } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";

/** Returns the lists that clients of a modern revision see. */
export function toServerLists({ tools, prompts, resources, resourceTemplates }: Manifest): ServerLists {
  return {
    tools: tools.map(({ definition }) => definition),
    prompts: prompts.map(({ definition }) => definition),
    resources: resources.map(({ definition }) => definition),
    resourceTemplates: resourceTemplates.map(({ definition }) => definition),
  };
}

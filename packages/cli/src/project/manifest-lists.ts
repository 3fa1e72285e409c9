import type { PromptChoices, ServerLists } from "@tenon/compiler";
import type { JsonSchema, Manifest, PromptEntry } from "@tenon/runtime/manifest";
import { followReferences } from "../compare/schema/references.js";

/** Returns the lists that clients of a modern revision see. */
export function toServerLists({ tools, prompts, resources, resourceTemplates }: Manifest): ServerLists {
  return {
    tools: tools.map(({ definition }) => definition),
    prompts: prompts.map(({ definition }) => definition),
    resources: resources.map(({ definition }) => definition),
    resourceTemplates: resourceTemplates.map(({ definition }) => definition),
  };
}

/** Returns the choices for arguments of prompts, by the name of the prompt. Lists that clients see do not contain them. */
export function getPromptChoices({ prompts }: Manifest): ReadonlyMap<string, PromptChoices> {
  return new Map(prompts.map((entry) => [entry.definition.name, getChoices(entry)]));
}

/** Returns the values that arguments accept, as text, for arguments whose type lists its values. */
function getChoices({ input, completes = [] }: PromptEntry): PromptChoices {
  const root = input?.schema ?? {};
  return Object.fromEntries(
    Object.entries(root.properties ?? {}).flatMap(([name, schema]) => {
      const values = listValues(schema, root);
      if (values === undefined || values.length === 0) return [];
      return [[name, { values, isSuggested: !completes.includes(name) }] as const];
    }),
  );
}

function listValues(schema: JsonSchema, root: JsonSchema): string[] | undefined {
  const resolved = followReferences(schema, root).schema;
  if (typeof resolved !== "object") return undefined;
  if (resolved.enum) return resolved.enum.filter((value) => value !== null).map(String);
  if (resolved.type === "null") return [];
  const branches = resolved.anyOf?.map((branch) => listValues(branch, root));
  return branches?.every((values) => values !== undefined) === true ? branches.flat() : undefined;
}

import type { Entry, Manifest } from "@tenon/runtime/manifest";
import type { SourceUses } from "../read/source-uses.js";

/** The runtime's optional parts, under the names of `@tenon/runtime/features`, and which servers need them. */
const NEEDED_BY: Record<string, (manifest: Manifest, uses: SourceUses) => boolean> = {
  behaviour: (_, uses) => uses.behaviour,
  changes: (manifest, uses) =>
    uses.behaviour || hasTasks(manifest) || (hasResources(manifest) && (uses.config || hasContext(manifest))),
  completion: ({ prompts, resourceTemplates }) => prompts.length + resourceTemplates.length > 0,
  content: ({ tools }) => tools.some(({ output: { kind } }) => kind === "content" || kind === "unknown"),
  context: (manifest, uses) => uses.asking || hasContext(manifest) || hasTasks(manifest),
  conversion: (manifest) => hasConversion(manifest),
  formats: (manifest) => JSON.stringify(manifest).includes('"format":'),
  headers: ({ tools }) => JSON.stringify(tools).includes('"x-mcp-header":'),
  prompts: ({ prompts }) => prompts.length > 0,
  resources: (manifest) => hasResources(manifest),
  tasks: (manifest) => hasTasks(manifest),
};

/** The names that an emitted module may import from `@tenon/runtime/features`. */
export const FEATURE_NAMES: readonly string[] = Object.keys(NEEDED_BY);

/** The features that a server is emitted with, by name and in their order. */
export function neededFeatures(manifest: Manifest, uses: SourceUses): string[] {
  return Object.entries(NEEDED_BY).flatMap(([name, isNeeded]) => (isNeeded(manifest, uses) ? [name] : []));
}

function hasResources({ resources, resourceTemplates }: Manifest): boolean {
  return resources.length + resourceTemplates.length > 0;
}

function hasTasks({ tools }: Manifest): boolean {
  return tools.some(({ task }) => task !== undefined);
}

function hasContext({ tools, prompts, resources, resourceTemplates }: Manifest): boolean {
  const entries: Entry<unknown>[] = [...tools, ...prompts, ...resources, ...resourceTemplates];
  return entries.some(({ handler }) => handler.parameters.some(({ from }) => from === "context"));
}

function hasConversion({ tools, prompts, resourceTemplates, forms = {} }: Manifest): boolean {
  const inputs = [...tools, ...prompts, ...resourceTemplates].map(({ input }) => input);
  const plans = [...inputs, ...tools.map(({ output }) => output), ...Object.values(forms)];
  return plans.some(({ conversion }) => conversion !== undefined);
}

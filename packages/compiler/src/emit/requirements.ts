import { DEFAULT_PAGE_SIZE, type Entry, type Manifest } from "@tenon/runtime/manifest";
import type { SourceUses } from "../read/source-uses.js";
import { SCHEMA_FEATURES, schemaFeatures } from "./schema-features.js";

/** The runtime's optional parts, under the names of `@tenon/runtime/features`, and which servers need them. */
const NEEDED_BY: Record<string, (manifest: Manifest, uses: SourceUses) => boolean> = {
  behaviour: (_, uses) => uses.behaviour,
  changes: hasChanges,
  completion: ({ prompts, resourceTemplates }) => prompts.length + resourceTemplates.length > 0,
  configuration: (_, uses) => uses.config,
  content: ({ tools }) => tools.some(({ output: { kind } }) => kind === "content" || kind === "unknown"),
  context: mayAsk,
  conversion: (manifest) => hasConversion(manifest),
  headers: ({ tools }) => JSON.stringify(tools).includes('"x-mcp-header":'),
  paging: (manifest, uses) => uses.behaviour || uses.config || hasLongList(manifest),
  prompts: ({ prompts }) => prompts.length > 0,
  resources: (manifest) => hasResources(manifest),
  sse: (_, uses) => uses.sse,
  streams: (manifest, uses) => mayAsk(manifest, uses) || hasChanges(manifest, uses),
  tasks: (manifest) => hasTasks(manifest),
  wrapping: ({ tools }) =>
    tools.some(
      ({ definition: { outputSchema } }) => outputSchema !== undefined && outputSchema.type !== "object",
    ),
};

/** The names that an emitted module may import from `@tenon/runtime/features`. */
export const FEATURE_NAMES: readonly string[] = [...Object.keys(NEEDED_BY), ...SCHEMA_FEATURES].sort();

/** The features that a server is emitted with, by name and in their order. */
export function neededFeatures(manifest: Manifest, uses: SourceUses): string[] {
  const ofSchemas: ReadonlySet<string> = schemaFeatures(manifest);
  return FEATURE_NAMES.filter((name) => ofSchemas.has(name) || NEEDED_BY[name]?.(manifest, uses) === true);
}

/** Clients can be told of changes. */
function hasChanges(manifest: Manifest, uses: SourceUses): boolean {
  const { behaviour, config } = uses;
  return behaviour || hasTasks(manifest) || (hasResources(manifest) && (config || hasContext(manifest)));
}

/** Handlers can report to the client, or ask it. */
function mayAsk(manifest: Manifest, uses: SourceUses): boolean {
  return uses.asking || hasContext(manifest) || hasTasks(manifest);
}

function hasResources({ resources, resourceTemplates }: Manifest): boolean {
  return resources.length + resourceTemplates.length > 0;
}

function hasLongList({ tools, prompts, resources, resourceTemplates }: Manifest): boolean {
  return [tools, prompts, resources, resourceTemplates].some(({ length }) => length > DEFAULT_PAGE_SIZE);
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

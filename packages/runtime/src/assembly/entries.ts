/**
 * The manifest's entries joined with the code that serves them.
 * @module
 */
import type { Validator } from "./application.js";
import { type ArgumentsPlan, withoutUnknown } from "../values/arguments.js";
import type { ListedResource } from "../api/decorators.js";
import { needed, readerOf, resultOf, serve, validatorOf, writerOf } from "./plans.js";
import type { ResourceEntries } from "./resource-entries.js";
import { createVocabulary } from "../explain/create-vocabulary.js";
import type { Vocabulary } from "../explain/vocabulary.js";
import type { FeaturedApplication } from "../features.js";
import { createHandlerResolver, type Handler, type HandlerResolver } from "./handlers.js";
import type { PromptEntry, ResourceEntry, ResourceTemplateEntry, ToolEntry } from "../manifest.js";
import type { ResultMembers } from "../results/result-members.js";
import type { Revision } from "../protocol/revisions.js";
import type { Settings } from "./settings.js";
import type { UriTemplate } from "../values/uri-template.js";

interface Served<Entry> {
  readonly entry: Entry;
  readonly handler: Handler;
  /** False while the author's `enabled` behaviour says so. */
  isEnabled(): boolean;
}

export interface ServedTool extends Served<ToolEntry> {
  readonly arguments: ArgumentsPlan;
  /** Only where the problems of what breaks the output schema are not found from the schema alone. */
  readonly checkOutput: Validator | undefined;
  /** Turns what the handler returns into the JSON that stands for it. */
  write(value: unknown): unknown;
  /** The members of the `CallToolResult` that it comes to. */
  result(value: unknown, revision: Revision): ResultMembers;
}

export interface ServedPrompt extends Served<PromptEntry> {
  readonly arguments: ArgumentsPlan;
}

export type ServedResource = Served<ResourceEntry>;

export interface ServedTemplate extends Served<ResourceTemplateEntry> {
  readonly arguments: ArgumentsPlan;
  readonly template: UriTemplate;
  /** The concrete resources that exist, where the author can tell. */
  readonly list: (() => ListedResource[] | Promise<ListedResource[]>) | undefined;
}

/** Everything served, in the order in which it is listed. */
export interface Entries extends ResourceEntries {
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly prompts: ReadonlyMap<string, ServedPrompt>;
  /** The instances that handlers belong to, for their disposal. */
  readonly owners: ReadonlySet<object>;
}

/**
 * @throws Error when manifest, classes, validators and features do not belong together.
 */
export function createEntries(application: FeaturedApplication, settings: Settings): Entries {
  const { manifest, features } = application;
  const resolver = createHandlerResolver(application, settings);
  if (manifest.prompts.length > 0) needed(features, "prompts");
  if (manifest.resources.length + manifest.resourceTemplates.length > 0) needed(features, "resources");
  const vocabulary = createVocabulary(features);
  const none = new Map<string, never>();
  return {
    tools: createToolEntries(application, resolver, vocabulary, settings),
    prompts: features.prompts?.entries(application, resolver, vocabulary, settings) ?? none,
    ...(features.resources?.entries(application, resolver, vocabulary) ?? {
      resources: none,
      templates: none,
    }),
    owners: resolver.owners,
  };
}

function createToolEntries(
  { manifest, validators, features }: FeaturedApplication,
  { resolve }: HandlerResolver,
  vocabulary: Vocabulary,
  { unknownArguments }: Settings,
): Map<string, ServedTool> {
  return new Map(
    manifest.tools.map((entry): [string, ServedTool] => {
      const { definition, input, output } = entry;
      const { name, inputSchema, outputSchema } = definition;
      const compiled = validatorOf(validators.tools, name, "tool");
      const write = writerOf(output, features);
      if (entry.task !== undefined) needed(features, "tasks");
      if (outputSchema !== undefined && outputSchema.type !== "object") needed(features, "wrapping");
      const served: ServedTool = {
        entry,
        ...serve(resolve(entry.handler)),
        arguments: {
          validate: compiled.input,
          schema: input.schema ?? inputSchema,
          read: readerOf(input, features),
          allows: input.allows,
          vocabulary,
          noun: "argument",
          tidy: (entry.unknownArguments ?? unknownArguments) === "ignore" ? withoutUnknown : undefined,
        },
        checkOutput: compiled.output,
        write,
        result: resultOf(entry, write, features),
      };
      return [name, served];
    }),
  );
}

/** True when any handler declares a `Context`. */
export function usesContext({ tools, prompts, resources, templates }: Entries): boolean {
  const all: Served<unknown>[] = [
    ...tools.values(),
    ...prompts.values(),
    ...resources.values(),
    ...templates.values(),
  ];
  return all.some(({ handler }) => handler.usesContext);
}

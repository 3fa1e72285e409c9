/**
 * The manifest's entries joined with the code that serves them.
 * @module
 */
import type { Validator } from "./application.js";
import type { ArgumentsPlan } from "./arguments.js";
import type { ListedResource } from "./decorators.js";
import { missingFeature, readerOf, resultOf, serve, validatorOf, writerOf } from "./entries/plans.js";
import type { ResourceEntries } from "./entries/resources.js";
import type { FeaturedApplication } from "./features.js";
import { createHandlerResolver, type Handler, type HandlerResolver } from "./handlers.js";
import type { HeaderParameter } from "./header-parameters.js";
import type { PromptEntry, ResourceEntry, ResourceTemplateEntry, ToolEntry } from "./manifest.js";
import type { ResultMembers } from "./results.js";
import type { Revision } from "./revisions.js";
import type { UriTemplate } from "./uri-template.js";

interface Served<Entry> {
  readonly entry: Entry;
  readonly handler: Handler;
  /** False while the author's `enabled` behaviour says so. */
  isEnabled(): boolean;
}

export interface ServedTool extends Served<ToolEntry> {
  readonly arguments: ArgumentsPlan;
  readonly checkOutput: Validator | undefined;
  /** Turns what the handler returns into the JSON that stands for it. */
  write(value: unknown): unknown;
  /** The members of the `CallToolResult` that it comes to. */
  result(value: unknown, revision: Revision): ResultMembers;
  /** Arguments that Streamable HTTP repeats in headers. */
  readonly headerParameters: readonly HeaderParameter[];
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
export function createEntries(application: FeaturedApplication): Entries {
  const resolver = createHandlerResolver(application);
  const tools = createToolEntries(application, resolver);
  const prompts = createPrompts(application, resolver);
  const { resources, templates } = createResources(application, resolver);
  return { tools, prompts, resources, templates, owners: resolver.owners };
}

function createToolEntries(
  { manifest, validators, features }: FeaturedApplication,
  { resolve }: HandlerResolver,
): Map<string, ServedTool> {
  return new Map(
    manifest.tools.map((entry): [string, ServedTool] => {
      const { name, inputSchema } = entry.definition;
      const compiled = validatorOf(validators.tools, name, "tool");
      const write = writerOf(entry.output, features);
      const served: ServedTool = {
        entry,
        ...serve(resolve(entry.handler)),
        arguments: {
          validate: compiled.input,
          schema: entry.input.schema ?? inputSchema,
          read: readerOf(entry.input, features),
          allows: entry.input.allows,
          formats: features.formats ?? {},
          noun: "argument",
          ignoreUnknown: entry.unknownArguments === "ignore",
          emptyIsAbsent: false,
        },
        checkOutput: compiled.output,
        write,
        result: resultOf(entry, write, features),
        headerParameters: features.headers?.collect(inputSchema) ?? [],
      };
      return [name, served];
    }),
  );
}

function createPrompts(application: FeaturedApplication, resolver: HandlerResolver): Entries["prompts"] {
  const { manifest, features } = application;
  if (features.prompts !== undefined) return features.prompts.entries(application, resolver);
  if (manifest.prompts.length > 0) throw missingFeature("prompts");
  return new Map();
}

function createResources(application: FeaturedApplication, resolver: HandlerResolver): ResourceEntries {
  const { manifest, features } = application;
  if (features.resources !== undefined) return features.resources.entries(application, resolver);
  if (manifest.resources.length + manifest.resourceTemplates.length > 0) throw missingFeature("resources");
  return { resources: new Map(), templates: new Map() };
}

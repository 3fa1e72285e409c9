/**
 * The manifest's entries joined with the code that serves them.
 * @module
 */
import type { Application, Validator } from "./application.js";
import type { ArgumentsPlan } from "./arguments.js";
import type { ListedResource } from "./decorators.js";
import { createHandlerResolver, type Handler } from "./handlers.js";
import { collectHeaderParameters, type HeaderParameter } from "./headers.js";
import type { JsonSchema } from "./json-schema.js";
import type { PromptEntry, ResourceEntry, ResourceTemplateEntry, ToolEntry } from "./manifest.js";
import { parseUriTemplate, type UriTemplate } from "./uri-template.js";

interface Served<Entry> {
  readonly entry: Entry;
  readonly handler: Handler;
  /** False while the author's `enabled` behaviour says so. */
  isEnabled(): boolean;
}

export interface ServedTool extends Served<ToolEntry> {
  readonly arguments: ArgumentsPlan;
  readonly checkOutput: Validator | undefined;
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
export interface Entries {
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly prompts: ReadonlyMap<string, ServedPrompt>;
  readonly resources: ReadonlyMap<string, ServedResource>;
  readonly templates: ReadonlyMap<string, ServedTemplate>;
  /** The instances that handlers belong to, for their disposal. */
  readonly owners: ReadonlySet<object>;
}

/**
 * @throws Error when manifest, classes and validators do not belong together.
 */
export function createEntries(application: Application): Entries {
  const { manifest, validators } = application;
  const { resolve, owners } = createHandlerResolver(application);

  const tools = manifest.tools.map((entry): [string, ServedTool] => {
    const { name, inputSchema } = entry.definition;
    const compiled = own(validators.tools, name, "tool");
    return [
      name,
      {
        entry,
        ...serve(resolve(entry.handler)),
        arguments: {
          validate: compiled.input,
          schema: entry.input.schema ?? inputSchema,
          input: entry.input,
          noun: "argument",
          ignoreUnknown: entry.unknownArguments === "ignore",
          emptyIsAbsent: false,
        },
        checkOutput: compiled.output,
        headerParameters: collectHeaderParameters(inputSchema),
      },
    ];
  });

  const prompts = manifest.prompts.map((entry): [string, ServedPrompt] => {
    const { name } = entry.definition;
    const compiled = own(validators.prompts, name, "prompt");
    return [
      name,
      { entry, ...serve(resolve(entry.handler)), arguments: textPlan(entry, compiled.input, "argument") },
    ];
  });

  const templates = manifest.resourceTemplates.map((entry): [string, ServedTemplate] => {
    const { uriTemplate } = entry.definition;
    const compiled = own(validators.resourceTemplates, uriTemplate, "resource template");
    const handler = resolve(entry.handler);
    const served: ServedTemplate = {
      entry,
      ...serve(handler),
      arguments: textPlan(entry, compiled.input, "variable"),
      template: parseUriTemplate(uriTemplate),
      list: handler.options.list,
    };
    return [uriTemplate, served];
  });

  const resources = manifest.resources.map((entry): [string, ServedResource] => [
    entry.definition.uri,
    { entry, ...serve(resolve(entry.handler)) },
  ]);

  return {
    tools: new Map(tools),
    prompts: new Map(prompts),
    resources: new Map(resources),
    templates: new Map(templates),
    owners,
  };
}

function serve(handler: Handler): { handler: Handler; isEnabled: () => boolean } {
  const { enabled } = handler.options;
  return { handler, isEnabled: enabled === undefined ? always : () => enabled() };
}

/** Stands for the absence of an `enabled` behaviour: what it is given to can never change. */
export function always(): boolean {
  return true;
}

/** Arguments of prompts and variables of URIs arrive as text. */
function textPlan(
  entry: PromptEntry | ResourceTemplateEntry,
  validate: Validator,
  noun: "argument" | "variable",
): ArgumentsPlan {
  return {
    validate,
    schema: entry.input.schema ?? schemaOfNames(entry, noun),
    input: entry.input,
    noun,
    ignoreUnknown: false,
    emptyIsAbsent: true,
  };
}

/** Only names are known of arguments for which the compiler gave no schema. */
function schemaOfNames(
  entry: PromptEntry | ResourceTemplateEntry,
  noun: "argument" | "variable",
): JsonSchema {
  const definition = entry.definition;
  const names =
    noun === "argument" && "arguments" in definition
      ? (definition.arguments ?? [])
      : entry.handler.parameters.flatMap((each) =>
          each.from === "argument" ? [{ name: each.name, required: true }] : [],
        );
  return {
    type: "object",
    properties: Object.fromEntries(names.map((each) => [each.name, { type: "string" }])),
    required: names.filter((each) => each.required === true).map((each) => each.name),
  };
}

function own<T>(validators: Record<string, T>, name: string, kind: string): T {
  const found = Object.hasOwn(validators, name) ? validators[name] : undefined;
  if (found === undefined)
    throw new Error(`The ${kind} "${name}" has no validator. Build the project again.`);
  return found;
}

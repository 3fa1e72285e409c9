/**
 * The manifest's entries joined with the code that serves them.
 * @module
 */
import type { ListedResource } from "../api/options.js";
import type { PromptEntry, ResourceEntry, ResourceTemplateEntry, ToolEntry } from "../manifest.js";
import type { Call } from "../connection/call.js";
import type { Revision } from "../protocol/revisions.js";
import type { ToolResult } from "../protocol/specification.js";
import type { RefuseOutput } from "../results/output-check.js";
import type { ArgumentsPlan } from "../values/arguments.js";
import type { UriTemplate } from "../values/uri-template.js";
import type { Handler } from "./handlers.js";

interface Served<Entry> {
  readonly entry: Entry;
  readonly handler: Handler;
}

export interface ServedTool extends Served<ToolEntry> {
  readonly arguments: ArgumentsPlan;
  /**
   * The result that a handler's value comes to.
   *
   * @param refuse takes what is wrong with the value; without it, nothing is checked
   */
  result(value: unknown, revision: Revision, refuse: RefuseOutput | undefined): ToolResult;
  /**
   * The same for a result of the newest revision that middleware answers with.
   *
   * @param own the handler's, if it was called
   */
  accept(result: unknown, own: unknown, revision: Revision, refuse: RefuseOutput | undefined): ToolResult;
}

export interface ServedPrompt extends Served<PromptEntry> {
  readonly arguments: ArgumentsPlan;
}

export interface ServedResource extends Served<ResourceEntry> {
  /** Turns the data that the handler returns into JSON. */
  toJson(value: unknown): unknown;
}

export interface ServedTemplate extends Served<ResourceTemplateEntry> {
  /** Turns the data that the handler returns into JSON. */
  toJson(value: unknown): unknown;
  readonly arguments: ArgumentsPlan;
  readonly template: UriTemplate;
  /** The concrete resources that exist, where the author lists them. */
  readonly list: ((call: Call) => ListedResource[] | Promise<ListedResource[]>) | undefined;
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

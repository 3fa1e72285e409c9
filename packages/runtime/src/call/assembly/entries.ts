/**
 * The entries of the manifest with the code that serves them.
 * @module
 */
import type { Cursor } from "../../api/cursor.js";
import type { ListedResources } from "../../api/options.js";
import type {
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  SkillEntry,
  ToolEntry,
} from "../../manifest.js";
import type { Call } from "../connection/call.js";
import type { Revision } from "../../protocol/revisions.js";
import type { ToolResult } from "../../protocol/specification.js";
import type { RejectOutput } from "../../data/results/output-check.js";
import type { BuildToolResult } from "../../data/results/tool-result.js";
import type { ArgumentsPlan } from "../../data/conversion/arguments.js";
import type { UriTemplate } from "../../data/conversion/uri-template.js";
import type { CheckPage, createCursors, Cursors } from "./call-cursor.js";
import type { Application } from "../application/application.js";
import type { Converters } from "../../data/conversion/converters.js";
import type { CreateContext, Handler, HandlerResolver } from "./handlers.js";
import type { Settings } from "./settings.js";
import type { Validation } from "../application/validation.js";

/** The contribution of a feature to the entries of a server. */
export interface EntryFeature {
  /**
   * Creates the entries of a feature.
   *
   * @throws Error if the manifest, classes, and validators do not belong to the same build
   */
  createEntries?(source: EntrySource): Partial<Entries>;
  /**
   * Adds to the entries of all features, or replaces them.
   *
   * @throws Error and TypeError like `createEntries`
   */
  extendEntries?(entries: Entries, source: EntrySource): Partial<Entries>;
  readonly createContext?: CreateContext;
  readonly createCursors?: typeof createCursors;
  readonly converters?: Converters;
}

interface Served<Entry> {
  readonly entry: Entry;
  readonly handler: Handler;
}

export interface ServedTool extends Served<ToolEntry> {
  readonly arguments: ArgumentsPlan;
  readonly buildResult: BuildToolResult;
  /** Rejects a page with a cursor that no client could use. Absent if the tool has no pages. */
  readonly checkPage: CheckPage | undefined;
  /**
   * Builds the result from what middleware returns, which is a result of the newest revision.
   *
   * @param handlerResult the handler's result, if it was called
   */
  acceptResult(
    result: unknown,
    handlerResult: unknown,
    revision: Revision,
    reject: RejectOutput | undefined,
  ): ToolResult;
}

export interface ServedPrompt extends Served<PromptEntry> {
  readonly arguments: ArgumentsPlan;
}

export interface ServedResource extends Served<Omit<ResourceEntry, "handler">> {
  /** Whether it is a view, which only some clients see. */
  readonly isView?: true;
  /** Converts the data that the handler returns to JSON. */
  toJson(value: unknown): unknown;
}

/** A skill. Its handler decides who sees it and its files. */
export type ServedSkill = Served<SkillEntry>;

export interface ServedTemplate extends Served<ResourceTemplateEntry> {
  /** Converts the data that the handler returns to JSON. */
  toJson(value: unknown): unknown;
  readonly arguments: ArgumentsPlan;
  readonly template: UriTemplate;
  /** Whether a variable of the URI is secret. */
  readonly hasSecrets: boolean;
  /** Lists the resources that exist. Absent if the author has no `list` callback. */
  readonly list:
    ((call: Call, cursor?: Cursor<unknown>) => ListedResources | Promise<ListedResources>) | undefined;
  /** Reads the cursor of `list`; undefined if the text is not one. Absent if it returns all resources at once. */
  readonly openListCursor: ((call: Call, text: unknown) => Cursor<unknown> | undefined) | undefined;
  /** Rejects a page of `list` with a cursor that no client could use. Absent if it returns all resources at once. */
  readonly checkListPage: CheckPage | undefined;
}

/** All entries, in the order in which they are listed. */
export interface Entries {
  readonly tools: ReadonlyMap<string, ServedTool>;
  readonly prompts: ReadonlyMap<string, ServedPrompt>;
  readonly resources: ReadonlyMap<string, ServedResource>;
  readonly templates: ReadonlyMap<string, ServedTemplate>;
  /** Returns the current URI of a view for the URI of an earlier build. Absent if the server has no views. */
  readonly findCurrentUri?: (uri: string) => string | undefined;
  /** The skills by URI. Absent if the server has none. Their files are in `resources`. */
  readonly skills?: ReadonlyMap<string, ServedSkill>;
  /** The instances of all handlers, for their disposal. */
  readonly owners: ReadonlySet<object>;
}

/** The parts that entries are created from. */
export interface EntrySource extends Pick<HandlerResolver, "resolve"> {
  readonly application: Application;
  readonly settings: Settings;
  readonly validation: Validation;
  readonly converters: Converters;
  /** Absent if the server has no cursors. */
  readonly cursors: Cursors | undefined;
}

/** Returns whether any handler declares a `Context`. */
export function usesContext({ tools, prompts, resources, templates }: Entries): boolean {
  const all: Served<unknown>[] = [
    ...tools.values(),
    ...prompts.values(),
    ...resources.values(),
    ...templates.values(),
  ];
  return all.some(({ handler }) => handler.usesContext);
}

import type { Part } from "../methods/part.js";
import type { Application } from "./application.js";
import type { Entries } from "./entries.js";
import { createHandlerResolver } from "./handlers.js";
import { outdated } from "./lookup.js";
import type { Converters } from "../values/converters.js";
import type { Settings } from "./settings.js";
import { createToolEntries } from "./tool-entries.js";

/** Of a server whose tools declare nothing but JSON. */
const NO_CONVERTERS: Converters = {
  argumentsConverter: () => (fitting) => fitting,
  toJson: (_, value) => value,
};

const NONE = { prompts: new Map(), resources: new Map(), templates: new Map() };

/**
 * @throws Error when manifest, parts, classes and validators do not belong together.
 */
export function createEntries(application: Application, settings: Settings, parts: readonly Part[]): Entries {
  const resolver = createHandlerResolver(
    application,
    settings,
    parts.find(({ createContext }) => createContext !== undefined)?.createContext,
  );
  const converters = parts.find((part) => part.converters !== undefined)?.converters;
  const entries: Entries = Object.assign(
    {
      tools: createToolEntries(application, resolver, settings, converters ?? NO_CONVERTERS),
      ...NONE,
      owners: resolver.owners,
    },
    ...parts.map((part) => part.createEntries?.(application, resolver, settings)),
  );
  const { tools, prompts, resources, resourceTemplates } = application.manifest;
  const listed = prompts.length + resources.length + resourceTemplates.length;
  const served = entries.prompts.size + entries.resources.size + entries.templates.size;
  if (served !== listed)
    throw outdated("The manifest has prompts or resources that no part of the server serves.");
  const converts = tools.some(({ input, output }) => (input.conversion ?? output.conversion) !== undefined);
  if (converts && converters === undefined)
    throw outdated("The manifest has tools whose values no part of the server converts.");
  return entries;
}

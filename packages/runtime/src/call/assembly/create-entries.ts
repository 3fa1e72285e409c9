import { hasConversions } from "../../manifest.js";
import type { Application } from "../application/application.js";
import type { Entries, EntryFeature, EntrySource } from "./entries.js";
import { createHandlerResolver } from "./handlers.js";
import { createMissingFeatureError } from "../application/lookup.js";
import type { Converters } from "../../data/conversion/converters.js";
import type { Settings } from "./settings.js";
import { createToolEntries } from "./tool-entries.js";
import type { Validation } from "../application/validation.js";

/** The converters of a server whose handlers use only JSON values. */
const NO_CONVERTERS: Converters = {
  createArgumentsConverter: () => (valid) => valid,
  toJson: (_, value) => value,
};

const NO_OTHER_ENTRIES = { prompts: new Map(), resources: new Map(), templates: new Map() };

/**
 * Creates the entries of a server.
 *
 * @param stateKeys the value of `TENON_STATE_KEYS`
 * @throws Error if the manifest, features, classes, and validators do not belong to the same build, or a key is too short
 * @throws TypeError for an invalid option of a decorator
 */
export function createEntries(
  application: Application,
  settings: Settings,
  features: readonly EntryFeature[],
  validation: Validation,
  stateKeys: string | undefined,
): Entries {
  const find = <Name extends keyof EntryFeature>(name: Name): EntryFeature[Name] | undefined =>
    features.find((feature) => feature[name] !== undefined)?.[name];
  const cursors = find("createCursors")?.(stateKeys, settings.info.name);
  const { resolve, owners } = createHandlerResolver(application, settings, {
    createContext: find("createContext"),
    cursors,
  });
  const converters = findConverters(features);
  const source: EntrySource = { application, settings, validation, converters, resolve, cursors };
  const entries: Entries = Object.assign(
    { tools: createToolEntries(source), ...NO_OTHER_ENTRIES, owners },
    ...features.map((feature) => feature.createEntries?.(source)),
  );
  for (const feature of features) Object.assign(entries, feature.extendEntries?.(entries, source));
  const { prompts, resources, resourceTemplates, skillFiles = [] } = application.manifest;
  const listedCount = prompts.length + resources.length + resourceTemplates.length + skillFiles.length;
  const servedCount = entries.prompts.size + entries.resources.size + entries.templates.size;
  // Views and the files of skills are resources, too.
  if (servedCount < listedCount) throw createMissingFeatureError("serves its prompts, resources, or skills");
  if (converters === NO_CONVERTERS && hasConversions(application.manifest))
    throw createMissingFeatureError("converts its values");
  return entries;
}

/** Returns the converters of a feature, or those for JSON values only. */
export function findConverters(features: readonly EntryFeature[]): Converters {
  return features.find((feature) => feature.converters !== undefined)?.converters ?? NO_CONVERTERS;
}

import type { Application } from "./application.js";
import type { Entries } from "./entries.js";
import { createHandlerResolver } from "./handlers.js";
import { createPromptEntries } from "./prompt-entries.js";
import { createResourceEntries } from "./resource-entries.js";
import type { Settings } from "./settings.js";
import { createToolEntries } from "./tool-entries.js";

/**
 * @throws Error when manifest, classes and validators do not belong together.
 */
export function createEntries(application: Application, settings: Settings): Entries {
  const resolver = createHandlerResolver(application, settings);
  return {
    tools: createToolEntries(application, resolver, settings),
    prompts: createPromptEntries(application, resolver, settings),
    ...createResourceEntries(application, resolver),
    owners: resolver.owners,
  };
}

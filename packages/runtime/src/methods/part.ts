import type { Application } from "../assembly/application.js";
import type { Entries } from "../assembly/entries.js";
import type { CreateAsking } from "../ask/asking.js";
import type { CreateContext, HandlerResolver } from "../assembly/handlers.js";
import type { Settings } from "../assembly/settings.js";
import type { createTasks } from "../tasks/create-tasks.js";
import type { Converters } from "../values/converters.js";
import type { CreateSubscriptions } from "../subscriptions/subscriptions.js";
import type { MethodFamily } from "./method.js";

/**
 * What a server may have besides tools. An emitted server names the parts that its manifest needs, and is bundled
 * without the others, which saves a server that has nothing but plain tools a fifth.
 */
export interface Part {
  readonly family?: MethodFamily;
  /** @throws Error when manifest, classes and validators do not belong together. */
  createEntries?(application: Application, resolver: HandlerResolver, settings: Settings): Partial<Entries>;
  readonly createTasks?: typeof createTasks;
  readonly createAsking?: CreateAsking;
  readonly createContext?: CreateContext;
  readonly converters?: Converters;
  readonly createSubscriptions?: CreateSubscriptions;
}

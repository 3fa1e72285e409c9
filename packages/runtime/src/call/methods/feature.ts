import type { ServerConfig } from "../../api/define-server.js";
import type { Settings } from "../assembly/settings.js";
import type { EntryFeature } from "../assembly/entries.js";
import type { CreateClientInput } from "../input/client-input.js";
import type { createTasks } from "../tasks/create-tasks.js";
import type { Checks } from "../application/validation.js";
import type { CreateSubscriptions } from "../subscriptions/subscriptions.js";
import type { CreateToolSearch, ResultStep, Stage } from "../stages/stage.js";
import type { createKnownMask } from "../../observe/log/known-secrets.js";
import type { listSecretTexts } from "../../observe/log/secret-texts.js";
import type { createHeaderCheck } from "./header-parameters.js";
import type { MethodFamily } from "./method.js";

/**
 * An optional part of a server. An emitted server imports the features that its manifest needs, and is bundled without
 * the others, which makes a server with plain tools a fifth smaller.
 */
export interface Feature extends EntryFeature {
  readonly family?: MethodFamily;
  /** Throws a `TypeError` for an invalid option of `defineServer`. */
  readonly checkConfig?: (config: ServerConfig) => void;
  /** Describes parts of the configuration that have no effect. */
  readonly findUnused?: (config: Pick<Settings, "provide" | "use">, owners: ReadonlySet<object>) => string[];
  readonly createTasks?: typeof createTasks;
  readonly createClientInput?: CreateClientInput;
  readonly checks?: Checks;
  readonly createSubscriptions?: CreateSubscriptions;
  readonly createHeaderCheck?: typeof createHeaderCheck;
  readonly createDownloads?: Stage;
  readonly createObservation?: Stage<void>;
  readonly createFileResults?: Stage;
  readonly createResultLimit?: ResultStep;
  readonly createToolSearch?: CreateToolSearch;
  readonly createMask?: typeof createKnownMask;
  readonly listSecretTexts?: typeof listSecretTexts;
}

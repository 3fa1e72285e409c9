/**
 * The parts of a server that not every server has use for. The compiler knows from the sources which ones a server
 * needs, and its `app.js` hands over these alone, so that a bundle carries and starts nothing else. Whatever has no
 * feature here is part of every server.
 *
 * @example
 * import { context, prompts } from "@tenon/runtime/features";
 * createServer({ manifest, validators, classes, features: { context, prompts } });
 * @module
 */
import type { Application, FeatureName } from "./application.js";
import { createAsking } from "./ask/asking.js";
import { CallContext } from "./call-context.js";
import type { Call } from "./call.js";
import { contentResult, undeclaredResult } from "./content-results.js";
import { argumentsReader, valueWriter } from "./converters.js";
import { recordedOptions } from "./decorators.js";
import type { Limits } from "./define-server.js";
import { createPromptEntries } from "./entries/prompts.js";
import { createResourceEntries } from "./entries/resources.js";
import { formats } from "./formats.js";
import { collectHeaderParameters, headerParameterProblem } from "./header-parameters.js";
import { createCompletionMethods, hasCompletions } from "./methods/completion.js";
import { createPromptMethods } from "./methods/prompts.js";
import { createResourceMethods } from "./methods/resources.js";
import { createSubscriptionMethods } from "./methods/subscriptions.js";
import { createTaskMethods } from "./methods/tasks.js";
import type { Notifier } from "./notifier.js";
import { type Announced, Subscriptions } from "./subscriptions.js";
import { serveTask } from "./tasks/serve-task.js";
import { TaskStore } from "./tasks/task-store.js";

/** `prompts/list` and `prompts/get`. */
export const prompts = { entries: createPromptEntries, methods: createPromptMethods };

/** `resources/list`, `resources/templates/list` and `resources/read`. */
export const resources = { entries: createResourceEntries, methods: createResourceMethods };

/** `completion/complete`, for arguments of prompts and variables of URIs. */
export const completion = { hasAny: hasCompletions, methods: createCompletionMethods };

/** Tools that return content themselves, or do not say what they return. */
export const content = { result: contentResult, undeclared: undeclaredResult };

/** Handlers that take a `Context`, and whatever asks the client. */
export const context = { create: (call: Call) => new CallContext(call), asking: createAsking };

/** Telling clients that a list or a resource has changed. */
export const changes = {
  subscriptions: (notifier: Notifier, announced: Announced) => new Subscriptions(notifier, announced),
  methods: createSubscriptionMethods,
};

/** Tools whose calls may be answered with a task. Needs `context` and `changes`. */
export const tasks = {
  store: (limits: Limits) => new TaskStore(limits),
  serve: serveTask,
  methods: createTaskMethods,
};

/** Decorator options that are functions, or that only the running server reads. */
export const behaviour = { optionsOf: recordedOptions };

/** Arguments and results that JSON carries in another form: dates, sets, bytes and the like. */
export const conversion = { argumentsReader, valueWriter };

/** Schemas that name a format, such as `date`. */
export { formats } from "./formats.js";

/** Arguments that Streamable HTTP repeats in headers. */
export const headers = { collect: collectHeaderParameters, problem: headerParameterProblem };

/** Every feature, for servers that no compiler has looked at. */
export const allFeatures = {
  prompts,
  resources,
  completion,
  content,
  context,
  changes,
  tasks,
  behaviour,
  conversion,
  formats,
  headers,
} satisfies Record<FeatureName, object>;

/** What a server is made with, to the runtime itself. */
export type Features = Partial<Readonly<typeof allFeatures>>;

export interface FeaturedApplication extends Application {
  readonly features: Features;
}

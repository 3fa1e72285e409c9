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
import type { Application, FeatureName, FeatureSet } from "./assembly/application.js";
import { createAsking } from "./ask/asking.js";
import { CallContext } from "./connection/call-context.js";
import type { Call } from "./connection/call.js";
import type { Connection } from "./connection/connection.js";
import { contentResult, undeclaredResult } from "./results/content-results.js";
import { argumentsReader, valueWriter } from "./values/converters.js";
import { recordedOptions, type RecordedOptions } from "./api/decorators.js";
import { type Entries, usesContext } from "./assembly/entries.js";
import { needed } from "./assembly/plans.js";
import { createPromptEntries } from "./assembly/prompt-entries.js";
import { createResourceEntries } from "./assembly/resource-entries.js";
import { allowances } from "./explain/coercion.js";
import { alternatives } from "./explain/alternatives.js";
import { formats } from "./explain/format-keyword.js";
import { keywords } from "./explain/rarer-keywords.js";
import { reports } from "./explain/reports.js";
import { secrets } from "./explain/secrets.js";
import { createHeaderCheck } from "./methods/header-parameters.js";
import { createCompletionMethods, hasCompletions } from "./methods/completion.js";
import { createLoggingMethods } from "./methods/logging.js";
import { claimList, type Part } from "./methods/method.js";
import { createPromptMethods } from "./methods/prompts.js";
import { createResourceMethods } from "./methods/resources.js";
import { createSubscriptionMethods } from "./methods/subscriptions.js";
import { createTaskMethods } from "./methods/tasks.js";
import { createNotifier, type Notifier } from "./api/notifier.js";
import { pagedList, pageMembers, pageOf } from "./methods/paging.js";
import { wrapSchema } from "./protocol/projection.js";
import type { Server } from "./server.js";
import { configure, type Settings } from "./assembly/settings.js";
import { announcedBy, Subscriptions } from "./subscriptions/subscriptions.js";
import { createTasks, TASKS_EXTENSION } from "./tasks/serve-task.js";
import type { GuardOptions } from "./transports/http/guard.js";
import { SessionStreams } from "./transports/http/session-streams.js";

type FeaturePart = Part & Readonly<Record<string, unknown>>;

/** `prompts/list` and `prompts/get`. */
export const prompts = {
  entries: createPromptEntries,
  methods: createPromptMethods,
  claims: ({ entries }, _revision, announced) =>
    entries.prompts.size > 0 ? { prompts: claimList(announced, "prompts") } : undefined,
} satisfies FeaturePart;

/** `resources/list`, `resources/templates/list` and `resources/read`. */
export const resources = {
  entries: createResourceEntries,
  methods: createResourceMethods,
  claims: ({ entries }, _revision, announced) =>
    entries.resources.size + entries.templates.size === 0
      ? undefined
      : {
          resources: {
            ...(announced?.updates === true && { subscribe: true }),
            ...claimList(announced, "resources"),
          },
        },
} satisfies FeaturePart;

/** `completion/complete`, for arguments of prompts and variables of URIs. */
export const completion = {
  methods: createCompletionMethods,
  claims: ({ entries }, { completionsCapability }) =>
    completionsCapability && hasCompletions(entries) ? { completions: {} } : undefined,
} satisfies FeaturePart;

/** Tools that return content themselves, or do not say what they return. */
export const content = { result: contentResult, undeclared: undeclaredResult };

/** Handlers that take a `Context`, and whatever asks the client. */
export const context = {
  create: (call: Call) => new CallContext(call),
  asking: createAsking,
  methods: createLoggingMethods,
  claims: ({ entries }) => (usesContext(entries) ? { logging: {} } : undefined),
} satisfies FeaturePart;

/** Telling clients that a list or a resource has changed. */
export const changes = {
  notifier: createNotifier,
  subscriptions: (entries: Entries, settings: Settings, notifier: Notifier) =>
    new Subscriptions(notifier, announcedBy(entries, settings)),
  methods: createSubscriptionMethods,
};

/** Lists that take more than one reply, or whose entries come and go. */
export const paging = { list: pagedList, pageOf, pageMembers };

/** What legacy sessions over HTTP say besides their answers, kept for clients that lose a connection. */
export const streams = {
  open: (connection: Connection, bytes: number) => new SessionStreams(connection, bytes),
};

/** HTTP+SSE, the transport of 2024-11-05. */
export const sse = {
  // Loaded when it is served, as all of HTTP is.
  endpoints: async (server: Server, options: GuardOptions) => {
    const { sseEndpoints } = await import("./transports/http/sse/endpoints.js");
    return sseEndpoints(server, options);
  },
};

/** Tools whose calls may be answered with a task. Needs `context`, `changes` and `streams`. */
export const tasks = {
  create: createTasks,
  methods: createTaskMethods,
  claims: (source, revision) =>
    revision.tasks && source.tasks !== undefined ? { extensions: { [TASKS_EXTENSION]: {} } } : undefined,
} satisfies FeaturePart;

/** Decorator options that are functions, or that only the running server reads. May need `changes` and `paging`. */
export const behaviour = {
  /** @throws Error when a list may change, but the server is not made for it */
  optionsOf: (owner: object, method: string, others: FeatureSet): RecordedOptions | undefined => {
    const options = recordedOptions(owner, method);
    if (options?.enabled !== undefined || options?.list !== undefined) {
      needed(others as Features, "changes");
      needed(others as Features, "paging");
    }
    return options;
  },
};

/** What `src/server.ts` says about the whole server. */
export const configuration = { configure };

/** Arguments and results that JSON carries in another form: dates, sets, bytes and the like. */
export const conversion = { argumentsReader, valueWriter };

// What schemas are read with, to say what is wrong with arguments or what was meant by them.
export { allowances } from "./explain/coercion.js";
export { alternatives } from "./explain/alternatives.js";
export { formats } from "./explain/format-keyword.js";
export { keywords } from "./explain/rarer-keywords.js";
export { reports } from "./explain/reports.js";
export { secrets } from "./explain/secrets.js";

/** Arguments that Streamable HTTP repeats in headers. */
export const headers = { createCheck: createHeaderCheck };

/** Tools that return something else than an object, for revisions that want one. */
export const wrapping = { schema: wrapSchema };

/** No feature: for peers that are the server's author. */
export { checkOutput } from "./results/output-check.js";

/** Every feature, for servers that no compiler has looked at. */
export const allFeatures = {
  prompts,
  resources,
  completion,
  content,
  context,
  changes,
  paging,
  streams,
  sse,
  tasks,
  behaviour,
  configuration,
  conversion,
  allowances,
  alternatives,
  formats,
  keywords,
  reports,
  secrets,
  headers,
  wrapping,
} satisfies Record<FeatureName, object>;

/** What a server is made with, to the runtime itself. */
export type Features = Partial<Readonly<typeof allFeatures>>;

export interface FeaturedApplication extends Application {
  readonly features: Features;
}

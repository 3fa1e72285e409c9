/**
 * The features that an emitted server may import. See `Feature`.
 * @module
 */
import { createClientInput } from "./call/input/create-client-input.js";
import * as callChecks from "./call/application/checks.js";
import { createDownloads } from "./call/stages/file-downloads.js";
import { createObservation } from "./call/stages/observe.js";
import { createFileResults } from "./call/stages/file-results.js";
import { createToolSearch } from "./call/search/tool-search.js";
import { createResultLimit } from "./call/stages/result-limit.js";
import { findRepeatedInstances } from "./call/assembly/repeated-instances.js";
import { findUnusedMiddleware } from "./call/assembly/unused-middleware.js";
import { createCursors } from "./call/assembly/call-cursor.js";
import { createPromptEntries } from "./call/assembly/prompt-entries.js";
import { createResourceEntries } from "./call/assembly/resource-entries.js";
import { CallContext } from "./call/connection/call-context.js";
import { completion as completionMethods } from "./call/methods/completion.js";
import type { Feature } from "./call/methods/feature.js";
import { createHeaderCheck } from "./call/methods/header-parameters.js";
import { prompts as promptMethods } from "./call/methods/prompts.js";
import { resources as resourceMethods } from "./call/methods/resources.js";
import { resourcesAndViews } from "./call/methods/views.js";
import { createEntriesWithViews } from "./call/assembly/view-entries.js";
import { skills as skillMethods } from "./call/methods/skills.js";
import { addSkillEntries } from "./call/assembly/skill-entries.js";
import { subscriptions as subscriptionMethods } from "./call/methods/subscriptions.js";
import { tasks as taskMethods } from "./call/methods/tasks.js";
import { createConverters } from "./data/conversion/converters.js";
import { readFile } from "./data/files/read-file.js";
import { checkOptions } from "./data/options/check-options.js";
import { SERVER_RULE } from "./data/options/server-rules.js";
import { createKnownMask } from "./observe/log/known-secrets.js";
import { listSecretTexts } from "./observe/log/secret-texts.js";
import { Subscriptions } from "./call/subscriptions/subscriptions.js";
import { createTasks } from "./call/tasks/create-tasks.js";

/** Loads validators when the server starts. Without it, they are loaded with the first call. */
export const checks: Feature = { checks: callChecks };

/** Suggestions for the arguments of prompts and the variables of resource templates. */
export const completion: Feature = { family: completionMethods };

/** The checks of the options of `defineServer`, and its observers, for servers with such a configuration. */
export const configuration: Feature = {
  createObservation,
  checkConfig: (config) => checkOptions(config, SERVER_RULE),
  findUnused: ({ provide, use }, owners) => [
    ...findRepeatedInstances(provide, owners),
    ...findUnusedMiddleware(use, owners),
  ],
};

/** The `Context` of handlers, and requests to clients. */
export const context: Feature = {
  createClientInput,
  createContext: (call) => new CallContext(call),
};

/** The cursors of tools and of resource templates with a `list` callback. */
export const cursors: Feature = { createCursors };

/** Downloads of files that clients send as URLs, for servers with OpenAI's dialect. */
export const fileDownloads: Feature = { createDownloads };

/** The check of headers that repeat arguments, for tools with the tag `@header`. */
export const headers: Feature = { createHeaderCheck };

/** Limits on the size of results, for servers that configure such a limit or have a tool with one. */
export const resultLimits: Feature = { createResultLimit };

export const prompts: Feature = {
  family: promptMethods,
  createEntries: (source) => ({ prompts: createPromptEntries(source) }),
};

/** Resources and resource templates. */
export const resources: Feature = { family: resourceMethods, createEntries: createResourceEntries };

/** The masking of `@secret` arguments and of exchanged tokens in the log. */
export const secrets: Feature = { createMask: createKnownMask, listSecretTexts };

/** Skills. Their files are resources, so servers with skills also have the feature `resources` or `views`. */
export const skills: Feature = { family: skillMethods, extendEntries: addSkillEntries };

/** The search mode, for servers with `toolSearch`. */
export const toolSearch: Feature = { createToolSearch };

export const tasks: Feature = { family: taskMethods, createTasks };

/** Conversions of values that JSON cannot represent, such as a `Date`, and of strings that represent other values. */
export const conversions: Feature = { converters: createConverters() };

/** All conversions, and files in arguments and results. Servers with files have this feature instead of `conversions`. */
export const files: Feature = { converters: createConverters(readFile), createFileResults };

/** Notifications of changes, for servers whose lists, resources, or tasks change while they run. */
export const subscriptions: Feature = {
  family: subscriptionMethods,
  createSubscriptions: (...options) => new Subscriptions(...options),
};

/** Resources, resource templates, and the views of tools. Servers with views have this feature instead of `resources`. */
export const views: Feature = { family: resourcesAndViews, createEntries: createEntriesWithViews };

export { rejectBuildOptions } from "./data/options/build-options.js";

/** All features, for servers whose contents are not known in advance. */
export const allFeatures: readonly Feature[] = [
  checks,
  completion,
  configuration,
  context,
  cursors,
  fileDownloads,
  files,
  headers,
  prompts,
  resources,
  resultLimits,
  secrets,
  skills,
  subscriptions,
  tasks,
  toolSearch,
  views,
];

/**
 * The parts of a server: see `Part`.
 * @module
 */
import { createClientAsking } from "./ask/client-asking.js";
import { createPromptEntries } from "./assembly/prompt-entries.js";
import { createResourceEntries } from "./assembly/resource-entries.js";
import { CallContext } from "./connection/call-context.js";
import { completion as completionMethods } from "./methods/completion.js";
import type { Part } from "./methods/part.js";
import { prompts as promptMethods } from "./methods/prompts.js";
import { resources as resourceMethods } from "./methods/resources.js";
import { subscriptions as subscriptionMethods } from "./methods/subscriptions.js";
import { tasks as taskMethods } from "./methods/tasks.js";
import { converters } from "./values/converters.js";
import { Subscriptions } from "./subscriptions/subscriptions.js";
import { createTasks } from "./tasks/create-tasks.js";

/** Suggestions for the arguments of prompts and the variables of resource templates. */
export const completion: Part = { family: completionMethods };

/** For handlers that declare a `Context`: it, and how they ask clients. */
export const context: Part = {
  createAsking: createClientAsking,
  createContext: (invocation) => new CallContext(invocation),
};

export const prompts: Part = {
  family: promptMethods,
  createEntries: (application, resolver, settings) => ({
    prompts: createPromptEntries(application, resolver, settings),
  }),
};

/** Resources and resource templates. */
export const resources: Part = { family: resourceMethods, createEntries: createResourceEntries };

export const tasks: Part = { family: taskMethods, createTasks };

/** For tools whose declared values JSON has not, such as a `Date`. */
export const conversions: Part = { converters };

/** For servers with anything that changes while they run: lists with behaviour, resources, tasks. */
export const subscriptions: Part = {
  family: subscriptionMethods,
  createSubscriptions: (...options) => new Subscriptions(...options),
};

/** For a server of which it is not known beforehand what it has. */
export const allParts: readonly Part[] = [
  completion,
  context,
  conversions,
  prompts,
  resources,
  subscriptions,
  tasks,
];

import { isObject } from "../../protocol/jsonrpc.js";
import type { PromptOptions, ResourceOptions, ToolOptions } from "../../api/options.js";
import type { OptionRule, OptionRules } from "./option-rule.js";
import {
  CACHE,
  CALLBACK,
  DATA,
  DEFINITION_RULES,
  DELAY,
  list,
  MIDDLEWARE,
  MIME_TYPE,
  object,
  oneOf,
  RATE_LIMIT,
  rule,
  SIZE,
  BOOLEAN,
  STRING,
  STRINGS,
  UNCHECKED,
  UNKNOWN_ARGUMENTS,
} from "./rule-kinds.js";

type RulesOf<Options> = { readonly [Name in keyof Options]-?: OptionRule };

const COMMON = {
  ...DEFINITION_RULES,
  scopes: STRINGS,
  meta: DATA,
  authorize: CALLBACK,
  use: MIDDLEWARE,
  rateLimit: RATE_LIMIT,
  timeoutMs: DELAY,
  enabled: CALLBACK,
} as RulesOf<Omit<PromptOptions, "prefix" | "complete">>;

const COMPLETE: OptionRule = {
  expected: "an object with a function for each argument",
  accepts: isObject,
  values: rule("a function that returns suggestions", CALLBACK.accepts),
};

const TOOL: RulesOf<ToolOptions> = {
  ...COMMON,
  readOnly: BOOLEAN,
  destructive: BOOLEAN,
  idempotent: BOOLEAN,
  openWorld: BOOLEAN,
  inputSchema: DATA,
  outputSchema: DATA,
  prefix: STRING,
  unknownArguments: UNKNOWN_ARGUMENTS,
  task: oneOf("optional", "required"),
  taskStart: oneOf("call", "handler"),
  maxResultChars: UNCHECKED,
  view: UNCHECKED,
  visibility: UNCHECKED,
  openai: UNCHECKED,
};

const PROMPT: RulesOf<PromptOptions> = { ...COMMON, prefix: STRING, complete: COMPLETE };

const RESOURCE: RulesOf<ResourceOptions> = {
  ...COMMON,
  mimeType: MIME_TYPE,
  size: SIZE,
  annotations: object("an object with audience, priority, or lastModified", {
    audience: list('a list of "user" and "assistant"', oneOf("user", "assistant")),
    priority: rule("a number from 0 to 1", (value) => typeof value === "number" && value >= 0 && value <= 1),
    lastModified: rule(
      "an ISO 8601 date, such as 2026-07-28T12:00:00Z",
      (value) =>
        typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)),
    ),
  }),
  cache: CACHE,
  complete: COMPLETE,
  list: CALLBACK,
};

const createRule = (rules: OptionRules): OptionRule => object("an object with options", rules);

/** The rules of the options of each decorator. An option of the runtime that is missing from these is a type error. */
export const TOOL_RULE = createRule(TOOL);
export const PROMPT_RULE = createRule(PROMPT);
export const RESOURCE_RULE = createRule(RESOURCE);

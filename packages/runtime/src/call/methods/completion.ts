/**
 * `completion/complete`: completes prompt arguments and URI variables.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 * @module
 */
import { createInvalidParamsError } from "../../api/errors.js";
import type { CompletionResult } from "../../api/middleware.js";
import type { ArgumentsPlan } from "../../data/conversion/arguments.js";
import { checkPart, textList } from "../../data/results/content-check.js";
import type { Result } from "../../data/results/envelope.js";
import type { RejectOutput } from "../../data/results/output-check.js";
import { getConstants, type JsonSchema, resolve } from "../../protocol/json-schema.js";
import { isObject, type Params } from "../../protocol/jsonrpc.js";
import type { Entries, ServedPrompt, ServedTemplate } from "../assembly/entries.js";
import { CallCaller } from "../connection/call-caller.js";
import type { Call } from "../connection/call.js";
import type { Serve, ServerParts, Target } from "../stages/stage.js";
import { composeHandlers } from "../stages/stages.js";
import { findServed } from "./find-served.js";
import { throwHandlerFailure, type Method, type MethodFamily } from "./method.js";

/** Maximum number of values in a response, set by the specification. */
const MAX_VALUES = 100;

export const completion: MethodFamily = {
  createMethods: (server) =>
    server.entries.prompts.size + server.entries.templates.size > 0 ? createCompletionMethods(server) : {},
  getCapabilities: ({ entries }, { hasCompletionsCapability }) =>
    hasCompletionsCapability && hasCompletions(entries) ? { completions: {} } : undefined,
};

function createCompletionMethods(server: ServerParts): Record<string, Method> {
  const { entries } = server;
  const targets = [...entries.prompts.values(), ...entries.templates.values()];
  const handlers = composeHandlers(targets, createTarget, server);
  return {
    "completion/complete": function complete(call) {
      const { ref, name } = readRequest(call.params);
      const served = findTarget(entries, ref, call);
      if (!getNames(served).includes(name)) {
        throw createInvalidParamsError(`There is no argument "${name.slice(0, 128)}" to complete.`);
      }
      return (handlers.get(served) as Serve<string>)(call);
    },
  };
}

/** Creates the target of completions for the arguments of one prompt, or the variables of one template. */
function createTarget(served: ServedPrompt | ServedTemplate, server: ServerParts): Target {
  const { definition } = served.entry;
  const subject =
    "uriTemplate" in definition ? `resource "${definition.uriTemplate}"` : `prompt "${definition.name}"`;
  const describe = ({ params }: Call): string => `completion of "${readRequest(params).name}"`;
  const check = ({ params }: Call, values: unknown, reject: RejectOutput | undefined): Result => {
    if (reject) checkPart(values, textList, [readRequest(params).name], reject, `completion of ${subject}`);
    return toCompletionResult(values);
  };
  return {
    ...served,
    subject,
    member: "completion",
    callsHandler: false,
    describe,
    createNotFoundError: () => createInvalidParamsError(`Unknown ${subject}.`),
    readArguments: ({ params }) => {
      const { others, name, value } = readRequest(params);
      return { ...others, [name]: value };
    },
    invoke: function suggest(call) {
      const { name, value, others } = readRequest(call.params);
      const complete = findCompleter(served, name);
      return complete === undefined
        ? suggestConstants(served.arguments, name, value)
        : complete.call(served.handler.owner, value, others, new CallCaller(call));
    },
    toResult: (call, values, _revision, reject) => check(call, values, reject),
    replaceResult: (call, result, _handlerResult, _revision, reject) =>
      check(call, (result as CompletionResult).completion.values, reject),
    toFailure: (call, error) => throwHandlerFailure(server, error, describe(call), call),
  };
}

/**
 * Converts suggestions to a result.
 *
 * @param values the suggestions of the author's callback, which may have any type at run time
 */
function toCompletionResult(values: unknown): Result {
  const all = Array.isArray(values) ? values.map(String) : [];
  const completion = {
    values: all.slice(0, MAX_VALUES),
    total: all.length,
    hasMore: all.length > MAX_VALUES,
  };
  return { completion };
}

/** Returns whether there are suggestions for any argument. */
function hasCompletions(entries: Entries): boolean {
  const targets: (ServedPrompt | ServedTemplate)[] = [
    ...entries.prompts.values(),
    ...entries.templates.values(),
  ];
  return targets.some((target) =>
    getNames(target).some(
      (name) => findCompleter(target, name) !== undefined || findConstants(target.arguments, name).length > 0,
    ),
  );
}

interface CompletionRequest {
  ref: Record<string, unknown>;
  name: string;
  value: string;
  others: Record<string, string>;
}

function readRequest({ ref, argument, context }: Params): CompletionRequest {
  if (!isObject(ref)) throw createInvalidParamsError("`ref` must name a prompt or a resource template.");
  if (!isObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string") {
    throw createInvalidParamsError("`argument` must have a `name` and a `value`, both strings.");
  }
  const contextArguments = isObject(context) && isObject(context.arguments) ? context.arguments : {};
  const others = Object.entries(contextArguments).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { ref, name: argument.name, value: argument.value, others: Object.fromEntries(others) };
}

function findTarget(
  entries: Entries,
  ref: Record<string, unknown>,
  call: Call,
): ServedPrompt | ServedTemplate {
  if (ref.type === "ref/prompt") return findServed(entries.prompts, "prompt", ref.name, call);
  if (ref.type !== "ref/resource")
    throw createInvalidParamsError('`ref.type` must be "ref/prompt" or "ref/resource".');
  if (typeof ref.uri !== "string") throw createInvalidParamsError("`ref.uri` must be a URI template.");
  const template = entries.templates.get(ref.uri);
  if (template?.handler.isEnabled(call) !== true)
    throw createInvalidParamsError(`Unknown resource template "${ref.uri.slice(0, 256)}".`);
  return template;
}

function getNames(target: ServedPrompt | ServedTemplate): readonly string[] {
  return "template" in target
    ? target.template.variables
    : (target.entry.definition.arguments ?? []).map((argument) => argument.name);
}

function findCompleter(target: ServedPrompt | ServedTemplate, name: string) {
  const { complete } = target.handler.options;
  return complete !== undefined && Object.hasOwn(complete, name) ? complete[name] : undefined;
}

/** Suggests the constants that the declared type allows. */
function suggestConstants(plan: ArgumentsPlan, name: string, value: string): string[] {
  const prefix = value.toLowerCase();
  return findConstants(plan, name).filter((constant) => constant.toLowerCase().startsWith(prefix));
}

function findConstants(plan: ArgumentsPlan, name: string): string[] {
  const { properties = {} } = plan.schema;
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema === undefined ? [] : collectConstants(schema, plan.schema);
}

function collectConstants(schema: JsonSchema, root: JsonSchema): string[] {
  const resolved = resolve(schema, root);
  const constants = getConstants(resolved);
  if (constants !== undefined) return constants.filter((each) => each !== null).map(String);
  if (resolved.type === "boolean") return ["true", "false"];
  return (resolved.anyOf ?? []).flatMap((branch) => collectConstants(branch, root));
}

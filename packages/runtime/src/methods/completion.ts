/**
 * `completion/complete`: suggestions for prompt arguments and URI variables.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 * @module
 */
import type { Call } from "../connection/call.js";
import { CallCaller } from "../connection/call-caller.js";
import type { ArgumentsPlan } from "../values/arguments.js";
import { type JsonSchema, resolve } from "../protocol/json-schema.js";
import type { Entries, ServedPrompt, ServedTemplate } from "../assembly/entries.js";
import { findServed } from "./find-served.js";
import { invalidParams } from "../api/errors.js";
import { isObject, type Params } from "../protocol/jsonrpc.js";
import { handlerFailure, type Method, type MethodFamily, type MethodSource } from "./method.js";
import type { CompletionResult } from "../api/middleware.js";
import { Invocation } from "../connection/invocation.js";
import type { Result } from "../results/envelope.js";

/** The specification's own limit. */
const MOST_VALUES = 100;

export const completion: MethodFamily = {
  methods: (source) =>
    source.entries.prompts.size + source.entries.templates.size > 0 ? createCompletionMethods(source) : {},
  capabilities: ({ entries }, { completionsCapability }) =>
    completionsCapability && hasCompletions(entries) ? { completions: {} } : undefined,
};

function createCompletionMethods(source: MethodSource): Record<string, Method> {
  const { entries } = source;
  return {
    "completion/complete": (call) => {
      const request = readRequest(call.params);
      const target = findTarget(entries, request.ref, call);
      const known = namesOf(target);
      if (!known.includes(request.name)) {
        throw invalidParams(`There is no argument "${request.name.slice(0, 128)}" to complete.`);
      }
      const complete = ownCompleter(target, request.name);
      const toFailure = (error: unknown): never =>
        handlerFailure(source, error, `completion of "${request.name}"`, call);
      return source.run(new Invocation(call), target, {
        prepare: () => ({ ...request.others, [request.name]: request.value }),
        admit: () => undefined,
        produce: () =>
          complete === undefined
            ? fromConstants(target.arguments, request.name, request.value)
            : complete.call(target.handler.owner, request.value, request.others, new CallCaller(call)),
        toResult: completionResult,
        member: "completion",
        accept: (result) => completionResult((result as CompletionResult).completion.values),
        toFailure,
      });
    },
  };
}

/** @param values what was suggested, which need not be what its type says */
function completionResult(values: unknown): Result {
  const all = Array.isArray(values) ? values.map(String) : [];
  const completion = {
    values: all.slice(0, MOST_VALUES),
    total: all.length,
    hasMore: all.length > MOST_VALUES,
  };
  return { completion };
}

/** True when anything can be suggested for any argument. */
function hasCompletions(entries: Entries): boolean {
  const targets: (ServedPrompt | ServedTemplate)[] = [
    ...entries.prompts.values(),
    ...entries.templates.values(),
  ];
  return targets.some((target) =>
    namesOf(target).some(
      (name) => ownCompleter(target, name) !== undefined || constantsOf(target.arguments, name).length > 0,
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
  if (!isObject(ref)) throw invalidParams("`ref` must name a prompt or a resource template.");
  if (!isObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string") {
    throw invalidParams("`argument` must have a `name` and a `value`, both strings.");
  }
  const given = isObject(context) && isObject(context.arguments) ? context.arguments : {};
  const others = Object.entries(given).filter(
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
  if (ref.type !== "ref/resource") throw invalidParams('`ref.type` must be "ref/prompt" or "ref/resource".');
  if (typeof ref.uri !== "string") throw invalidParams("`ref.uri` must be a URI template.");
  const template = entries.templates.get(ref.uri);
  if (template?.handler.isEnabled(call) !== true)
    throw invalidParams(`Unknown resource template "${ref.uri.slice(0, 256)}".`);
  return template;
}

function namesOf(target: ServedPrompt | ServedTemplate): readonly string[] {
  return "template" in target
    ? target.template.variables
    : (target.entry.definition.arguments ?? []).map((argument) => argument.name);
}

function ownCompleter(target: ServedPrompt | ServedTemplate, name: string) {
  const { complete } = target.handler.options;
  return complete !== undefined && Object.hasOwn(complete, name) ? complete[name] : undefined;
}

/** Where the declared type is a choice, the choices are the suggestions. */
function fromConstants(plan: ArgumentsPlan, name: string, value: string): string[] {
  const typed = value.toLowerCase();
  return constantsOf(plan, name).filter((constant) => constant.toLowerCase().startsWith(typed));
}

function constantsOf(plan: ArgumentsPlan, name: string): string[] {
  const { properties = {} } = plan.schema;
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema === undefined ? [] : constants(schema, plan.schema);
}

function constants(schema: JsonSchema, root: JsonSchema): string[] {
  const resolved = resolve(schema, root);
  if (resolved.enum !== undefined) return resolved.enum.filter((item) => item !== null).map(String);
  if (resolved.const !== undefined && resolved.const !== null) return [String(resolved.const)];
  if (resolved.type === "boolean") return ["true", "false"];
  return (resolved.anyOf ?? []).flatMap((branch) => constants(branch, root));
}

/**
 * `prompts/list` and `prompts/get`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @module
 */
import { ArgumentsError, prepareArguments } from "../values/arguments.js";
import type { ServedPrompt } from "../assembly/entries.js";
import { Invocation } from "../connection/invocation.js";
import { findServed, notServed } from "./find-served.js";
import { invalidParams } from "../api/errors.js";
import { createList } from "./lists.js";
import { projectPrompt } from "../protocol/projection.js";
import type { Revision } from "../protocol/revisions.js";
import type { PromptResult } from "../protocol/specification.js";
import { promptResult } from "../results/prompt-result.js";
import {
  handlerFailure,
  listCapability,
  type Method,
  type MethodFamily,
  type MethodSource,
} from "./method.js";

export const prompts: MethodFamily = {
  methods: (source) => (source.entries.prompts.size > 0 ? createPromptMethods(source) : {}),
  capabilities: ({ entries }, _revision, announced) =>
    entries.prompts.size > 0 ? { prompts: listCapability(announced, "prompts") } : undefined,
};

function createPromptMethods(source: MethodSource): Record<string, Method> {
  const { entries, settings } = source;
  const served = [...entries.prompts.values()];
  const list = createList(
    {
      member: "prompts",
      entries: served,
      keyOf: (prompt) => prompt.entry.definition.name,
      project: (prompt, revision) => projectPrompt(prompt.entry.definition, revision),
      hint: settings.hint(
        "prompts",
        served.every(({ handler }) => !handler.canBeDisabled),
      ),
    },
    source,
  );

  return {
    "prompts/list": list,

    "prompts/get": (call) => {
      const prompt = findServed(entries.prompts, "prompt", call.params.name, call);
      const { name, description } = prompt.entry.definition;
      const subject = `prompt "${name}"`;
      const toResult = (value: unknown, revision: Revision): PromptResult =>
        promptResult(value, description, revision, source.refusal(subject, call));
      return source.run(new Invocation(call), prompt, {
        prepare: () => readArguments(prompt, call.params.arguments),
        admit: (args) => {
          if (!prompt.handler.allows(call, args)) throw notServed(entries.prompts, "prompt", name, call);
        },
        toResult,
        member: "messages",
        accept: toResult,
        toFailure: (error) => handlerFailure(source, error, subject, call),
      });
    },
  };
}

function readArguments(prompt: ServedPrompt, given: unknown): Record<string, unknown> {
  try {
    return prepareArguments(prompt.arguments, given);
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    const { name } = prompt.entry.definition;
    throw invalidParams(`Invalid arguments for prompt "${name}": ${error.issues.join("; ")}.`);
  }
}

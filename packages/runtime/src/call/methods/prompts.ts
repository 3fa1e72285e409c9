/**
 * `prompts/list` and `prompts/get`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @module
 */
import { toProblemSentence } from "../../data/explanations/problem-sentence.js";
import { createInvalidParamsError } from "../../api/errors.js";
import { ArgumentsError, prepareArguments } from "../../data/conversion/arguments.js";
import { toPromptResult } from "../../data/results/prompt-result.js";
import { projectPrompt } from "../../protocol/projection.js";
import type { ServedPrompt } from "../assembly/entries.js";
import type { Serve, ServerParts, Target } from "../stages/stage.js";
import { composeHandlers } from "../stages/stages.js";
import { findServed, createNotServedError } from "./find-served.js";
import { createList } from "./lists.js";
import { throwHandlerFailure, createListCapability, type Method, type MethodFamily } from "./method.js";

export const prompts: MethodFamily = {
  createMethods: (server) => (server.entries.prompts.size > 0 ? createPromptMethods(server) : {}),
  getCapabilities: ({ entries }, _revision, announced) =>
    entries.prompts.size > 0 ? { prompts: createListCapability(announced, "prompts") } : undefined,
};

function createPromptMethods(server: ServerParts): Record<string, Method> {
  const { entries, settings } = server;
  const served = [...entries.prompts.values()];
  const list = createList(
    {
      member: "prompts",
      entries: served,
      getKey: (prompt) => prompt.entry.definition.name,
      project: (prompt, revision) => projectPrompt(prompt.entry.definition, revision),
      hint: settings.getCacheHint(
        "prompts",
        served.every(({ handler }) => !handler.canBeDisabled),
      ),
    },
    server,
  );

  const handlers = composeHandlers(served, createTarget, server);

  return {
    "prompts/list": list,

    "prompts/get": function getPrompt(call) {
      const prompt = findServed(entries.prompts, "prompt", call.params.name, call);
      return (handlers.get(prompt) as Serve<string>)(call);
    },
  };
}

/** Creates the target of the calls to one prompt. */
function createTarget(prompt: ServedPrompt, server: ServerParts): Target {
  const { entry, handler } = prompt;
  const { name, description } = entry.definition;
  const subject = `prompt "${name}"`;
  return {
    ...prompt,
    subject,
    member: "messages",
    callsHandler: true,
    invoke: handler.invoke,
    createNotFoundError: (call) => createNotServedError(server.entries.prompts, "prompt", name, call),
    readArguments: (call) => readArguments(prompt, call.params.arguments),
    toResult: (_call, value, revision, reject) => toPromptResult(value, description, revision, reject),
    toFailure: (call, error) => throwHandlerFailure(server, error, subject, call),
  };
}

/**
 * Reads the arguments of a prompt.
 *
 * @throws ProtocolError for invalid arguments
 */
function readArguments(prompt: ServedPrompt, values: unknown): Record<string, unknown> {
  try {
    return prepareArguments(prompt.arguments, values);
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    const { name } = prompt.entry.definition;
    throw createInvalidParamsError(
      `Invalid arguments for prompt "${name}": ${toProblemSentence(error.issues)}`,
    );
  }
}

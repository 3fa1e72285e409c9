/**
 * `prompts/list` and `prompts/get`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @module
 */
import { ArgumentsError, prepareArguments } from "../arguments.js";
import { listHint } from "../cache-hints.js";
import type { ServedPrompt } from "../entries.js";
import { invalidParams } from "../errors.js";
import { createList } from "../lists.js";
import { nearestName } from "../nearest-name.js";
import { projectPrompt } from "../projection.js";
import { promptResult } from "../prompt-result.js";
import { handlerFailure, type Method, type MethodSource, serveHandler } from "./method.js";

export function createPromptMethods(source: MethodSource): Record<string, Method> {
  const { entries, sealOf } = source;
  const list = createList({
    member: "prompts",
    entries: [...entries.prompts.values()],
    keyOf: (prompt) => prompt.entry.definition.name,
    project: (prompt, revision) => projectPrompt(prompt.entry.definition, revision),
    hint: listHint(source.config, "prompts", !source.announced.lists.has("prompts")),
    pageSize: source.pageSize,
  });

  return {
    "prompts/list": (call) => list(call.params, call.revision, sealOf(call.revision)),

    "prompts/get": (call) => {
      const prompt = findPrompt(entries.prompts, call.params.name);
      const { name, description } = prompt.entry.definition;
      return serveHandler(
        source,
        call,
        prompt.handler,
        () => readArguments(prompt, call.params.arguments),
        (value) => {
          const result = promptResult(value, description, call.revision);
          return sealOf(call.revision).result(result.members, result.meta);
        },
        (error) => handlerFailure(source, error, `prompt "${name}"`, call),
      );
    },
  };
}

export function findPrompt(prompts: ReadonlyMap<string, ServedPrompt>, name: unknown): ServedPrompt {
  if (typeof name !== "string") throw invalidParams("`name` must be the name of a prompt.");
  const prompt = prompts.get(name);
  if (prompt?.isEnabled() === true) return prompt;
  const enabled = [...prompts].filter(([, each]) => each.isEnabled()).map(([each]) => each);
  const nearest = nearestName(name, enabled);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw invalidParams(`Unknown prompt "${name.slice(0, 128)}".${hint}`);
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

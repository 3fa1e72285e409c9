import type { ArgumentsPlan } from "../../data/conversion/arguments.js";
import type { EntrySource, ServedPrompt } from "./entries.js";
import { createTextPlan } from "./text-arguments.js";

/**
 * Creates the entries of prompts.
 *
 * @throws Error if manifest, classes, and validators do not belong to the same build
 */
export function createPromptEntries({
  application: { manifest },
  settings: { unknownArguments },
  resolve,
  converters,
  validation,
}: EntrySource): Map<string, ServedPrompt> {
  return new Map(
    manifest.prompts.map((entry): [string, ServedPrompt] => {
      const { name } = entry.definition;
      const plan: ArgumentsPlan = {
        ...createTextPlan(entry, validation.find("prompts", name), converters, "argument"),
        ignoresUnknown: unknownArguments === "ignore",
      };
      return [name, { entry, handler: resolve(entry.handler, { kind: "prompt" }), arguments: plan }];
    }),
  );
}

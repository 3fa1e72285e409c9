import type { ArgumentsPlan } from "../../data/conversion/arguments.js";
import { PROMPT_RULE } from "../../data/options/decorator-rules.js";
import { checkCompleters, checkDecoratorOptions } from "./decorator-options.js";
import type { EntrySource, ServedPrompt } from "./entries.js";
import { createTextPlan } from "./text-arguments.js";

/**
 * Creates the entries of prompts.
 *
 * @throws Error if the manifest, classes, and validators do not belong to the same build
 * @throws TypeError for an invalid option of a decorator
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
      const { name, arguments: listed = [] } = entry.definition;
      const plan: ArgumentsPlan = {
        ...createTextPlan(entry, validation.find("prompts", name), converters, "argument"),
        ignoresUnknown: unknownArguments === "ignore",
      };
      const handler = resolve(entry.handler, { kind: "prompt" });
      const subject = `prompt "${name}"`;
      checkDecoratorOptions({ handler, entry }, PROMPT_RULE, subject);
      const names = listed.map((argument) => argument.name);
      checkCompleters(handler.options, names, "argument", subject);
      return [name, { entry, handler, arguments: plan }];
    }),
  );
}

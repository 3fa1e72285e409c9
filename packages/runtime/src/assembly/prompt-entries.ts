import { type ArgumentsPlan, withoutEmptyAndUnknown } from "../values/arguments.js";
import type { ServedPrompt } from "./entries.js";
import type { Application } from "./application.js";
import type { HandlerResolver } from "./handlers.js";
import type { Settings } from "./settings.js";
import { validatorOf } from "./lookup.js";
import { textPlan } from "./text-arguments.js";

/** @throws Error when manifest, classes and validators do not belong together. */
export function createPromptEntries(
  { manifest, validators }: Application,
  { resolve }: HandlerResolver,
  { unknownArguments }: Settings,
): Map<string, ServedPrompt> {
  return new Map(
    manifest.prompts.map((entry): [string, ServedPrompt] => {
      const { name } = entry.definition;
      const { input } = validatorOf(validators.prompts, name, "prompt");
      const plan: ArgumentsPlan = {
        ...textPlan(entry, input, "argument"),
        ...(unknownArguments === "ignore" && { tidy: withoutEmptyAndUnknown }),
      };
      return [name, { entry, handler: resolve(entry.handler, { kind: "prompt" }), arguments: plan }];
    }),
  );
}

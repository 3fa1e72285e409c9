import { type ArgumentsPlan, withoutEmptyAndUnknown } from "../values/arguments.js";
import type { ServedPrompt } from "./entries.js";
import type { Vocabulary } from "../explain/vocabulary.js";
import type { FeaturedApplication } from "../features.js";
import type { HandlerResolver } from "./handlers.js";
import type { Settings } from "./settings.js";
import { serve, textPlan, validatorOf } from "./plans.js";

/** @throws Error when manifest, classes and validators do not belong together. */
export function createPromptEntries(
  { manifest, validators, features }: FeaturedApplication,
  { resolve }: HandlerResolver,
  vocabulary: Vocabulary,
  { unknownArguments }: Settings,
): Map<string, ServedPrompt> {
  return new Map(
    manifest.prompts.map((entry): [string, ServedPrompt] => {
      const { name } = entry.definition;
      const { input } = validatorOf(validators.prompts, name, "prompt");
      const plan: ArgumentsPlan = {
        ...textPlan(entry, input, "argument", features, vocabulary),
        ...(unknownArguments === "ignore" && { tidy: withoutEmptyAndUnknown }),
      };
      return [name, { entry, ...serve(resolve(entry.handler)), arguments: plan }];
    }),
  );
}

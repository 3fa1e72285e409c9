import { Prompt, type PromptResult } from "@tenon/runtime";
import { ICONS, PNG } from "./media.js";

/** Prompts of each kind. */
export class Prompts {
  /** One user message. */
  @Prompt({ name: "test_simple_prompt", title: "A simple prompt", icons: ICONS })
  simple(): string {
    return "This is a simple prompt for testing.";
  }

  /**
   * Inserts its arguments.
   * @param arg1 Completed from a list
   * @param arg2 Completed from a list that depends on `arg1`
   */
  @Prompt({
    name: "test_prompt_with_arguments",
    complete: {
      arg1: (value) => ["paris", "park", "party"].filter((each) => each.startsWith(value)),
      arg2: (value, { arg1 = "any" }) =>
        [`${arg1}-one`, `${arg1}-two`].filter((each) => each.startsWith(value)),
    },
  })
  withArguments(arg1: string, arg2: string): string {
    return `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`;
  }

  /** Has a choice and a boolean, completed from their types. */
  @Prompt({ name: "test_prompt_with_choices" })
  withChoices(mood: "calm" | "busy", polite = true): string {
    return `Write a ${mood} message${polite ? ", politely" : ""}.`;
  }

  /** A resource inside a message. */
  @Prompt({ name: "test_prompt_with_embedded_resource" })
  withEmbeddedResource(resourceUri: string): PromptResult {
    return {
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: {
              uri: resourceUri,
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          },
        },
        { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
      ],
    };
  }

  /** An image inside a message. */
  @Prompt({ name: "test_prompt_with_image" })
  withImage(): PromptResult {
    return {
      messages: [
        { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
        { role: "user", content: { type: "text", text: "Please analyze the image above." } },
      ],
    };
  }
}

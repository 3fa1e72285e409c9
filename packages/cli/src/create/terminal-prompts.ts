import { confirm, isCancel, select, text } from "../terminal/prompts.js";
import type { Prompts } from "./context.js";

/** Prompts in the terminal of this process. */
export const terminalPrompts: Prompts = {
  async text({ message, placeholder, validate }) {
    const answer = await text({
      message,
      placeholder,
      defaultValue: placeholder,
      validate: (value) => validate(value ?? ""),
    });
    return isCancel(answer) ? undefined : answer;
  },
  async select({ message, options }) {
    const answer = await select<string>({ message, options });
    return isCancel(answer) ? undefined : answer;
  },
  async confirm({ message }) {
    const answer = await confirm({ message });
    return isCancel(answer) ? undefined : answer;
  },
};

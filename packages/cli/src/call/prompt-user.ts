import type { Answers } from "@tenon/runtime/testing";
import { toPrintableValue } from "../terminal/printable.js";
import { confirm, log } from "../terminal/prompts.js";
import { askField, PromptCancelledError, unwrap, type FormField } from "./ask-field.js";

type Elicit = NonNullable<Answers["elicit"]>;

/** Prompts go to stderr, so that stdout contains only the result of the call. */
const output = process.stderr;

/** Prompts the user to answer an elicitation request. Ctrl-C, Ctrl-D, and Esc cancel the elicitation, not the call. */
export const promptUser: Elicit = async (question) => {
  const { message, requestedSchema, url } = toPrintableQuestion(question);
  log.message(message, { output });
  try {
    if (url !== undefined) {
      log.message(url, { output });
      const isDone = unwrap(await confirm({ message: "Done?", output }));
      return isDone ? { action: "accept", content: {} } : { action: "decline" };
    }
    const content: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(requestedSchema?.properties ?? {})) {
      const isRequired = requestedSchema?.required?.includes(name) ?? false;
      const answer = await askField(name, schema as FormField, isRequired);
      if (answer !== undefined) content[name] = answer;
    }
    const isSent = unwrap(await confirm({ message: "Send this answer?", output }));
    return isSent ? { action: "accept", content } : { action: "decline" };
  } catch (error) {
    if (error instanceof PromptCancelledError) return { action: "cancel" };
    throw error;
  }
};

/** Removes control characters from the server's text, so that it is safe to print. Field names stay unchanged, since they are sent back. */
function toPrintableQuestion(question: Parameters<Elicit>[0]): Parameters<Elicit>[0] {
  const { requestedSchema, ...others } = question;
  return { ...toPrintableValue(others), ...(requestedSchema && { requestedSchema }) };
}

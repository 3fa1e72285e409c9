import { confirm, log } from "@clack/prompts";
import type { Answers } from "@tenon/runtime/testing";
import { printableValue } from "../remote/printable.js";
import { askField, NoAnswer, taken, type FormField } from "./ask-field.js";

type Elicit = NonNullable<Answers["elicit"]>;

/** Questions go where they are not mistaken for the answer of the call. */
const output = process.stderr;

/** Puts what a server asks to the person at the terminal. Ctrl-C and Esc cancel the question, not the call. */
export const askPerson: Elicit = async (question) => {
  const { message, requestedSchema, url } = shown(question);
  log.message(message, { output });
  try {
    if (url !== undefined) {
      log.message(url, { output });
      const isDone = taken(await confirm({ message: "Done?", output }));
      return isDone ? { action: "accept", content: {} } : { action: "decline" };
    }
    const content: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(requestedSchema?.properties ?? {})) {
      const isRequired = requestedSchema?.required?.includes(name) ?? false;
      const answer = await askField(name, schema as FormField, isRequired);
      if (answer !== undefined) content[name] = answer;
    }
    const isSent = taken(await confirm({ message: "Send this answer?", output }));
    return isSent ? { action: "accept", content } : { action: "decline" };
  } catch (error) {
    if (error instanceof NoAnswer) return { action: "cancel" };
    throw error;
  }
};

/** What a server asks may be anybody's text; names of fields are what is sent back, and stay. */
function shown(question: Parameters<Elicit>[0]): Parameters<Elicit>[0] {
  const { requestedSchema, ...others } = question;
  return { ...printableValue(others), ...(requestedSchema && { requestedSchema }) };
}

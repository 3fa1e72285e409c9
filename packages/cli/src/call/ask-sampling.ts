import { isCancel, log, text } from "@clack/prompts";
import type { Answers } from "@tenon/runtime/testing";
import pc from "picocolors";
import { printableValue } from "../remote/printable.js";
import { contentText } from "./result-text.js";

type Sample = NonNullable<Answers["sample"]>;

/** Questions go where they are not mistaken for the answer of the call. */
const output = process.stderr;

/** The person does not answer in place of a model. Clients say so to a server with this code. */
export class Declined extends Error {
  override readonly name = "Declined";
  readonly code = -1;

  constructor() {
    super("The user declined to answer in place of a model.");
  }
}

/**
 * Lets the person at the terminal answer in place of a model.
 *
 * @throws Declined when nothing is typed
 */
export const askSampling: Sample = async (params) => {
  const { messages, systemPrompt, maxTokens } = printableValue(params);
  const paint = pc.createColors(output.isTTY);
  log.message("The server asks a model. Answer in its place, or type nothing to decline.", { output });
  const system = systemPrompt === undefined ? [] : [`${paint.bold("system:")} ${systemPrompt}`];
  const said = messages.map(({ role, content }) => {
    const parts = [content].flat().map((each) => {
      return each.type === "text" || each.type === "image" || each.type === "audio"
        ? contentText(each, paint)
        : JSON.stringify(each);
    });
    return `${paint.bold(`${role}:`)} ${parts.join("\n")}`;
  });
  log.message([...system, ...said].join("\n"), { output });
  const limit = maxTokens === undefined ? "" : ` (up to ${maxTokens} tokens)`;
  const typed = await text({ message: `Answer${limit}`, output });
  if (isCancel(typed) || typed === undefined || typed === "") throw new Declined();
  return {
    role: "assistant",
    model: "a person",
    content: { type: "text", text: typed },
    stopReason: "endTurn",
  };
};

import { isCancel, log, select, text } from "@clack/prompts";
import type { CreateMessageParams, CreateMessageResult } from "@tenon/runtime/manifest";
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
  const { messages, systemPrompt, maxTokens, tools = [], toolChoice } = printableValue(params);
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
  const tool = tools.length > 0 ? await askTool(tools, toolChoice?.mode === "required") : undefined;
  if (tool !== undefined) {
    const input = await askInput(tool);
    return replyOf({ type: "tool_use", id: "call-1", name: tool, input }, "toolUse");
  }
  const limit = maxTokens === undefined ? "" : ` (up to ${maxTokens} tokens)`;
  const typed = taken(await text({ message: `Answer${limit}`, output }));
  return replyOf({ type: "text", text: typed }, "endTurn");
};

const WORDS = "";

/** The name of the tool that is called; undefined where the answer is in words. */
async function askTool(
  tools: NonNullable<CreateMessageParams["tools"]>,
  isRequired: boolean,
): Promise<string | undefined> {
  const calls = tools.map(({ name, description }) => ({
    value: name,
    label: `calls ${name}`,
    ...(description !== undefined && { hint: description }),
  }));
  const options = isRequired ? calls : [{ value: WORDS, label: "says something" }, ...calls];
  const chosen = await select({ message: "The model", options, output });
  if (isCancel(chosen)) throw new Declined();
  return chosen === WORDS ? undefined : chosen;
}

async function askInput(tool: string): Promise<Record<string, unknown>> {
  const validate = (value = ""): string | undefined =>
    objectIn(value) === undefined ? 'It must be an object in JSON, such as {"city":"Oslo"}.' : undefined;
  const typed = await text({
    message: `Arguments of ${tool}, as JSON`,
    initialValue: "{}",
    validate,
    output,
  });
  return objectIn(taken(typed)) ?? {};
}

function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws Declined */
function taken(typed: string | symbol | undefined): string {
  if (typeof typed !== "string" || typed === "") throw new Declined();
  return typed;
}

function replyOf(content: CreateMessageResult["content"], stopReason: string): CreateMessageResult {
  return { role: "assistant", model: "a person", content, stopReason };
}

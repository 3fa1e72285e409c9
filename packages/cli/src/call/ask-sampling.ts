import type { CreateMessageParams } from "@tenon/runtime/manifest";
import type { Answers } from "@tenon/runtime/testing";
import pc from "picocolors";
import { toModelMessage } from "../answers/answer-notation.js";
import { toPrintableValue } from "../terminal/printable.js";
import { isCancel, log, select, text } from "../terminal/prompts.js";
import { formatContent } from "./result-text.js";

type Sample = NonNullable<Answers["sample"]>;

/** Prompts go to stderr, so that stdout contains only the result of the call. */
const output = process.stderr;

/** Thrown when the user declines to act as the model, with the code that clients send to the server. */
export class DeclinedError extends Error {
  override readonly name = "DeclinedError";
  readonly code = -1;

  constructor() {
    super("The user declined to act as the model.");
  }
}

/**
 * Lets the user act as the model.
 *
 * @throws DeclinedError if the user types nothing
 */
export const askSampling: Sample = async (params) => {
  const { messages, systemPrompt, maxTokens, tools = [], toolChoice } = toPrintableValue(params);
  const paint = pc.createColors(output.isTTY);
  log.message("The server requests a response from a model. Type one, or nothing to decline.", { output });
  const system = systemPrompt === undefined ? [] : [`${paint.bold("system:")} ${systemPrompt}`];
  const dialog = messages.map(({ role, content }) => {
    const parts = [content].flat().map((each) => {
      return each.type === "text" || each.type === "image" || each.type === "audio"
        ? formatContent(each, paint)
        : JSON.stringify(each);
    });
    return `${paint.bold(`${role}:`)} ${parts.join("\n")}`;
  });
  log.message([...system, ...dialog].join("\n"), { output });
  const tool = tools.length > 0 ? await askTool(tools, toolChoice?.mode === "required") : undefined;
  if (tool !== undefined) {
    const input = await askInput(tool);
    return toModelMessage(
      { content: { type: "tool_use", id: "call-1", name: tool, input }, stopReason: "toolUse" },
      "a person",
    );
  }
  const limit = maxTokens === undefined ? "" : ` (up to ${maxTokens} tokens)`;
  const typed = unwrap(await text({ message: `Response${limit}`, output }));
  return toModelMessage(typed, "a person");
};

/** The choice to respond with text. */
const TEXT = "";

/** Prompts for the tool that the model calls. Returns undefined for a text response. */
async function askTool(
  tools: NonNullable<CreateMessageParams["tools"]>,
  isRequired: boolean,
): Promise<string | undefined> {
  const calls = tools.map(({ name, description }) => ({
    value: name,
    label: `calls ${name}`,
    ...(description !== undefined && { hint: description }),
  }));
  const options = isRequired ? calls : [{ value: TEXT, label: "responds with text" }, ...calls];
  const chosen = await select({ message: "The model", options, output });
  if (isCancel(chosen)) throw new DeclinedError();
  return chosen === TEXT ? undefined : chosen;
}

async function askInput(tool: string): Promise<Record<string, unknown>> {
  const validate = (value = ""): string | undefined =>
    parseObject(value) === undefined ? 'Enter a JSON object, such as {"city":"Oslo"}.' : undefined;
  const typed = await text({
    message: `Arguments of ${tool}, as JSON`,
    initialValue: "{}",
    validate,
    output,
  });
  return parseObject(unwrap(typed)) ?? {};
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the typed text.
 *
 * @throws DeclinedError if it is empty or the user cancelled
 */
function unwrap(typed: string | symbol | undefined): string {
  if (typeof typed !== "string" || typed === "") throw new DeclinedError();
  return typed;
}

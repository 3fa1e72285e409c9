import { isContent } from "../protocol/content-kinds.js";
import { isObject } from "../protocol/jsonrpc.js";
import { projectContent } from "../protocol/projection.js";
import type { Revision } from "../protocol/revisions.js";
import type { Content, PromptMessage, PromptResult, Role } from "../protocol/specification.js";
import { checkList, keepBlock, messageList } from "./content-check.js";
import { jsonText } from "./json-text.js";
import type { RefuseOutput } from "./output-check.js";

/**
 * From what a prompt returns to a `GetPromptResult`. A string or a content block is one message of the user.
 *
 * @param description the prompt's own, for results that have none
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export function promptResult(
  value: unknown,
  description: string | undefined,
  revision: Revision,
  refuse: RefuseOutput | undefined,
): PromptResult {
  const whole = isObject(value) && Array.isArray(value.messages) ? value : undefined;
  const given = whole === undefined ? value : (whole.messages as unknown[]);
  const messages = (Array.isArray(given) ? given : [given]).map(toMessage);
  if (refuse) checkList(messages, messageList, "messages", refuse);
  const shown = typeof whole?.description === "string" ? whole.description : description;
  return {
    ...(shown === undefined ? {} : { description: shown }),
    messages: messages.map(({ role, content }) => ({
      role,
      content: projectContent(keepBlock(content), revision),
    })),
    ...(isObject(whole?._meta) ? { _meta: whole._meta } : {}),
  };
}

function toMessage(message: unknown): PromptMessage {
  const isWhole = isObject(message) && message.role !== undefined && message.content !== undefined;
  if (!isWhole) return { role: "user", content: toBlock(message) };
  const { role, content } = message;
  // What is meant as a block is sent as one, or refused.
  const block = isObject(content) ? (content as object as Content) : toBlock(content);
  return { role: role as Role, content: block };
}

function toBlock(value: unknown): Content {
  if (isContent(value)) return value;
  return { type: "text", text: typeof value === "string" ? value : jsonText(value) };
}

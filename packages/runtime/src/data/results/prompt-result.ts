import { isContent } from "../../protocol/content-kinds.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { projectContent } from "../../protocol/projection.js";
import type { Revision } from "../../protocol/revisions.js";
import type { Content, PromptMessage, PromptResult, Role } from "../../protocol/specification.js";
import { checkPart, checkResultMembers, stripBlock, messageList, toDeclaredText } from "./content-check.js";
import type { RejectOutput } from "./output-check.js";

/**
 * Converts the return value of a prompt to a `GetPromptResult`. A string or a content block becomes a user message.
 *
 * @param description the description of the prompt, for results without one
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export function toPromptResult(
  value: unknown,
  description: string | undefined,
  revision: Revision,
  reject: RejectOutput | undefined,
): PromptResult {
  const whole = isObject(value) && Array.isArray(value.messages) ? value : undefined;
  const given = whole === undefined ? value : (whole.messages as unknown[]);
  const messages = (Array.isArray(given) ? given : [given]).map(toMessage);
  if (reject && whole) checkResultMembers(whole, reject);
  if (reject) checkPart(messages, messageList, ["messages"], reject);
  const shown = typeof whole?.description === "string" ? whole.description : description;
  return {
    ...(shown === undefined ? {} : { description: shown }),
    messages: messages.map(({ role, content }) => ({
      role,
      content: projectContent(stripBlock(content), revision),
    })),
    ...(isObject(whole?._meta) ? { _meta: whole._meta } : {}),
  };
}

function toMessage(message: unknown): PromptMessage {
  const isWhole = isObject(message) && message.role !== undefined && message.content !== undefined;
  if (!isWhole) return { role: "user", content: toBlock(message) };
  const { role, content } = message;
  // A value that is meant as a block is sent as one, or rejected.
  const block = isObject(content) ? (content as object as Content) : toBlock(content);
  return { role: role as Role, content: block };
}

function toBlock(value: unknown): Content {
  return isContent(value) ? value : { type: "text", text: toDeclaredText(value) };
}

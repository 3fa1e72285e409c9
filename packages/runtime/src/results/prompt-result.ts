import { isContent } from "../protocol/content-kinds.js";
import { isObject } from "../protocol/jsonrpc.js";
import { projectContent } from "../protocol/projection.js";
import type { Revision } from "../protocol/revisions.js";
import type { Content, PromptMessage, PromptResult, Role } from "../protocol/specification.js";
import { jsonText } from "./json-text.js";

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
): PromptResult {
  const whole = isObject(value) && Array.isArray(value.messages) ? value : undefined;
  const given = whole === undefined ? value : (whole.messages as unknown[]);
  const messages = (Array.isArray(given) ? given : [given]).map((message) => toMessage(message, revision));
  const shown = typeof whole?.description === "string" ? whole.description : description;
  return {
    ...(shown === undefined ? {} : { description: shown }),
    messages,
    ...(isObject(whole?._meta) ? { _meta: whole._meta } : {}),
  };
}

function toMessage(message: unknown, revision: Revision): PromptMessage {
  const isWhole = isObject(message) && typeof message.role === "string" && message.content !== undefined;
  const role = isWhole ? (message.role as Role) : "user";
  const content = isWhole ? message.content : message;
  const block: Content = isContent(content)
    ? content
    : { type: "text", text: typeof content === "string" ? content : jsonText(content) };
  return { role, content: projectContent(block, revision) };
}

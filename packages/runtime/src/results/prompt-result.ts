import { isContent } from "../protocol/content-kinds.js";
import { isObject } from "../protocol/jsonrpc.js";
import { projectContent } from "../protocol/projection.js";
import type { Content, PromptMessage, Role } from "../protocol/specification.js";
import { jsonText, type ResultMembers } from "./result-members.js";
import type { Revision } from "../protocol/revisions.js";

/**
 * The members of a `GetPromptResult`. A string or a content block is one message of the user.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export function promptResult(
  value: unknown,
  description: string | undefined,
  revision: Revision,
): ResultMembers {
  const whole = isObject(value) && Array.isArray(value.messages) ? value : undefined;
  const given = whole === undefined ? value : (whole.messages as unknown[]);
  const messages = (Array.isArray(given) ? given : [given]).map((message) => toMessage(message, revision));
  const about = typeof whole?.description === "string" ? whole.description : description;
  const members =
    (about === undefined ? "" : `"description":${JSON.stringify(about)},`) +
    `"messages":${JSON.stringify(messages)}`;
  return isObject(whole?._meta) ? { members, meta: whole._meta } : { members };
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

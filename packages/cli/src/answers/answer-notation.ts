import type { CreateMessageResult } from "@tenon/runtime/manifest";
import type { Answers } from "@tenon/runtime/testing";

export type ElicitResult = Awaited<ReturnType<NonNullable<Answers["elicit"]>>>;

/** A user's input for a form, or the action `decline` or `cancel`. */
export type ScriptedElicitation = object | "decline" | "cancel";

/** A model's response. Its `stopReason` is `toolUse` if it calls a tool. */
export type SampledMessage = Pick<CreateMessageResult, "content"> & Partial<CreateMessageResult>;

/** A model's message: its text, or the whole message if it contains more, such as a tool call. */
export type ScriptedMessage = string | SampledMessage;

/** Converts a scripted answer to the result of an elicitation. */
export function toElicitResult(scripted: ScriptedElicitation): ElicitResult {
  return typeof scripted === "object" ? { action: "accept", content: scripted } : { action: scripted };
}

/**
 * Converts a scripted answer to a model's message.
 *
 * @param model the name of the model, unless the message names one
 */
export function toModelMessage(scripted: ScriptedMessage, model: string): CreateMessageResult {
  const message =
    typeof scripted === "string" ? { content: { type: "text" as const, text: scripted } } : scripted;
  return { role: "assistant", model, stopReason: "endTurn", ...message };
}

/** Converts the result of an elicitation to the notation for the same answer in a test. */
export function toElicitationScript({ action, content = {} }: Readonly<Record<string, unknown>>): unknown {
  return action === "accept" ? content : action;
}

/** Converts a model's message to the notation for the same message in a test. */
export function toMessageScript({ content, stopReason }: Readonly<Record<string, unknown>>): unknown {
  if (content === undefined) return "";
  const { type, text } = content as { type?: unknown; text?: unknown };
  return type === "text" ? text : { content, ...(stopReason !== undefined && { stopReason }) };
}

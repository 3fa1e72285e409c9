import type { VisibleChange } from "../diff/visible-changes.js";

const LISTS = ["tools", "prompts", "resources"] as const;

/** Returns the notifications for lists that a client must fetch again. */
export function getListNotifications(changes: readonly VisibleChange[]): string[] {
  const kinds = new Set(changes.map(({ kind }) => kind));
  return [
    ...(kinds.has("tool") || kinds.has("view") ? ["notifications/tools/list_changed"] : []),
    ...(kinds.has("prompt") ? ["notifications/prompts/list_changed"] : []),
    ...(kinds.has("view") || kinds.has("skill") || kinds.has("resource") || kinds.has("resource template")
      ? ["notifications/resources/list_changed"]
      : []),
  ];
}

/** Returns the notifications for all lists. */
export function getAllListNotifications(): string[] {
  return LISTS.map((list) => `notifications/${list}/list_changed`);
}

/**
 * Declares in the response to `initialize` that lists may change, which they do with edits.
 *
 * @param message a JSON-RPC message; only a response with capabilities is changed
 */
export function declareListChanged<M extends object>(message: M): M {
  if (!("result" in message) || !isObject(message.result)) return message;
  const { capabilities } = message.result;
  if (!isObject(capabilities)) return message;
  const declared = Object.fromEntries(
    LISTS.flatMap((list) => {
      const capability = capabilities[list];
      return isObject(capability) ? [[list, { ...capability, listChanged: true }]] : [];
    }),
  );
  return { ...message, result: { ...message.result, capabilities: { ...capabilities, ...declared } } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

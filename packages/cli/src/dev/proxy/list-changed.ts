import type { Change } from "../diff/manifest-diff.js";

const LISTS = ["tools", "prompts", "resources"] as const;

/** The notifications about the lists that a client has to fetch again. */
export function listChanged(changes: readonly Change[]): string[] {
  const kinds = new Set(changes.map(({ kind }) => kind));
  return [
    ...(kinds.has("tool") ? ["notifications/tools/list_changed"] : []),
    ...(kinds.has("prompt") ? ["notifications/prompts/list_changed"] : []),
    ...(kinds.has("resource") || kinds.has("resource template")
      ? ["notifications/resources/list_changed"]
      : []),
  ];
}

/** The notifications about all lists. */
export function allListsChanged(): string[] {
  return LISTS.map((list) => `notifications/${list}/list_changed`);
}

/**
 * The answer to `initialize`, declaring that lists may change: a server by itself never changes its lists, but
 * under development edits do.
 *
 * @param message any JSON-RPC message; only an answer with capabilities is changed
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

import type { Change } from "./manifest-diff.js";

/** The notifications that tell a client which lists to fetch again. */
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

import { isDeepStrictEqual } from "node:util";
import type { Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import { schemaChanges } from "./schema-changes.js";

/**
 * Of what is gone, what seems to be there under another name: nothing else that is new is like it, and nothing else that is
 * gone is like that.
 *
 * @param isAlike whether one could be the other under a new name
 */
export function renamed<Served>(
  gone: readonly Served[],
  added: readonly Served[],
  isAlike: (before: Served, after: Served) => boolean,
): ReadonlyMap<Served, Served> {
  return new Map(
    gone.flatMap((before): [Served, Served][] => {
      const [after, another] = added.filter((each) => isAlike(before, each));
      if (after === undefined || another !== undefined) return [];
      return gone.some((each) => each !== before && isAlike(each, after)) ? [] : [[before, after]];
    }),
  );
}

/** Tools that take and give the same; those that take nothing are alike in their descriptions as well. */
export function areToolsAlike(before: Tool, after: Tool): boolean {
  const takesSome = Object.keys(before.inputSchema.properties ?? {}).length > 0;
  return (
    (takesSome || before.description === after.description) &&
    (before.outputSchema === undefined) === (after.outputSchema === undefined) &&
    [
      ...schemaChanges(before.inputSchema, after.inputSchema),
      ...schemaChanges(before.outputSchema, after.outputSchema),
    ].every(({ change }) => change === "wording")
  );
}

/** Prompts with the same arguments; those without any are alike in their descriptions. */
export function arePromptsAlike(before: Prompt, after: Prompt): boolean {
  const argumentsOf = (prompt: Prompt): object[] =>
    (prompt.arguments ?? []).map(({ name, required = false }) => ({ name, required }));
  const takesSome = argumentsOf(before).length > 0;
  return (
    (takesSome || before.description === after.description) &&
    isDeepStrictEqual(argumentsOf(before), argumentsOf(after))
  );
}

/** Resources of one name, at different URIs. */
export function areResourcesAlike<Served extends Resource | ResourceTemplate>(
  before: Served,
  after: Served,
): boolean {
  return before.name === after.name && before.mimeType === after.mimeType;
}

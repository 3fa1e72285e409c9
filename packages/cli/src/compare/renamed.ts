import { isDeepStrictEqual } from "node:util";
import type { Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import type { EntryKind } from "../project/declared-entries.js";
import { findSchemaChanges } from "./schema/schema-changes.js";
import type { Comparison, Definition, EntryPair } from "./server-description.js";

const COMPARISONS: { readonly [Kind in EntryKind]: Comparison<Kind, boolean> } = {
  tool: areToolsAlike,
  prompt: arePromptsAlike,
  resource: areResourcesAlike,
  "resource template": areResourcesAlike,
};

/**
 * Finds the removed entries that were probably renamed, with their new names. Such an entry resembles exactly one new entry,
 * which resembles no other removed entry.
 *
 * @param pairs all entries of one kind
 */
export function findRenamed(kind: EntryKind, pairs: readonly EntryPair[]): ReadonlyMap<string, string> {
  const isAlike = COMPARISONS[kind] as (before: Definition, after: Definition) => boolean;
  const removed = pairs.flatMap(({ name, before, after }) => (before && !after ? [{ ...before, name }] : []));
  const added = pairs.flatMap(({ name, before, after }) => (after && !before ? [{ ...after, name }] : []));
  return new Map(
    removed.flatMap((before): [string, string][] => {
      const [after, another] = added.filter((each) => isAlike(before.definition, each.definition));
      if (after === undefined || another !== undefined) return [];
      const isAmbiguous = removed.some(
        (each) => each !== before && isAlike(each.definition, after.definition),
      );
      return isAmbiguous ? [] : [[before.name, after.name]];
    }),
  );
}

/** Compares the arguments and results of tools, and the descriptions of tools without arguments. */
function areToolsAlike(before: Tool, after: Tool): boolean {
  const hasArguments = Object.keys(before.inputSchema.properties ?? {}).length > 0;
  return (
    (hasArguments || before.description === after.description) &&
    (before.outputSchema === undefined) === (after.outputSchema === undefined) &&
    [
      ...findSchemaChanges(before.inputSchema, after.inputSchema),
      ...findSchemaChanges(before.outputSchema, after.outputSchema),
    ].every(({ change }) => change === "wording")
  );
}

/** Compares the arguments of prompts, and the descriptions of those without any. */
function arePromptsAlike(before: Prompt, after: Prompt): boolean {
  const toComparableArguments = (prompt: Prompt): object[] =>
    (prompt.arguments ?? []).map(({ name, required = false }) => ({ name, required }));
  const hasArguments = toComparableArguments(before).length > 0;
  return (
    (hasArguments || before.description === after.description) &&
    isDeepStrictEqual(toComparableArguments(before), toComparableArguments(after))
  );
}

/** Compares the names of resources, whose URIs differ. */
function areResourcesAlike(before: Resource | ResourceTemplate, after: Resource | ResourceTemplate): boolean {
  return before.name === after.name && before.mimeType === after.mimeType;
}

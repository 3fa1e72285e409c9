import { isDeepStrictEqual } from "node:util";
import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import { completeHints } from "../tool-hints.js";
import { isSameSchema } from "./same-schema.js";

type Definition = Tool | Prompt | Resource | ResourceTemplate;

/** A kind of difference between two definitions. */
export type Difference = "schemas" | "description" | "other";

/**
 * Returns the differences between an original definition and the one derived from its generated source. Equivalent
 * schemas, as {@link isSameSchema} defines them, do not differ.
 */
export function findDifferences(original: Definition, derived: Definition): Difference[] {
  const [a, b] = [toComparable(original), toComparable(derived)];
  const found: Difference[] = [];
  if (!a.schemas.every((schema, index) => isSame(schema, b.schemas[index]))) found.push("schemas");
  if (a.description !== b.description) found.push("description");
  if (!isDeepStrictEqual(a.others, b.others)) found.push("other");
  return found;
}

function isSame(a: JsonSchema | undefined, b: JsonSchema | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSameSchema(a, b);
}

function toComparable(definition: Definition): {
  schemas: readonly (JsonSchema | undefined)[];
  description: string;
  others: unknown;
} {
  const { description = "", ...others } = definition;
  // `execution` declares task support in 2025-11-25. Later revisions declare it elsewhere.
  const {
    inputSchema,
    outputSchema,
    annotations,
    execution: _,
    ...rest
  } = others as Partial<Tool> & {
    execution?: unknown;
  };
  const { title } = annotations ?? {};
  const hints = completeHints(annotations ?? {});
  const given = "arguments" in rest ? (rest as Prompt).arguments : undefined;
  return {
    schemas: [inputSchema, outputSchema],
    description: description.trim(),
    others: sortMembers({
      ...rest,
      ...(rest.title === undefined && title !== undefined && { title }),
      ...(Object.keys(hints).length > 0 && { annotations: hints }),
      ...(given && {
        arguments: given
          .map((each) => ({ ...each, required: each.required ?? false }))
          .toSorted(compareNames),
      }),
    }),
  };
}

/** Returns a value with the members of objects sorted by name. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sortMembers(each)]),
  );
}

function compareNames(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

import { isDeepStrictEqual } from "node:util";
import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import { isSameSchema } from "./same-schema.js";

type Definition = Tool | Prompt | Resource | ResourceTemplate;

/** In what two definitions differ. */
export type Difference = "schemas" | "description" | "else";

/**
 * In what a derived definition differs from the one it was written for. Different ways to write the same schema are no
 * difference: the order of members, `const` and an `enum` of one, a reference and what it refers to, one type or `null`
 * as a choice or as a list. Nor is that an object is closed which nobody said to be open.
 */
export function differences(original: Definition, derived: Definition): Difference[] {
  const [a, b] = [comparable(original), comparable(derived)];
  const found: Difference[] = [];
  if (!a.schemas.every((schema, index) => isSame(schema, b.schemas[index]))) found.push("schemas");
  if (a.description !== b.description) found.push("description");
  if (!isDeepStrictEqual(a.others, b.others)) found.push("else");
  return found;
}

function isSame(a: JsonSchema | undefined, b: JsonSchema | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSameSchema(a, b);
}

function comparable(definition: Definition): {
  schemas: readonly (JsonSchema | undefined)[];
  description: string;
  others: unknown;
} {
  const { description = "", ...others } = definition;
  // How tools said in 2025-11-25 that they may run as tasks; it is told otherwise since.
  const {
    inputSchema,
    outputSchema,
    annotations,
    execution: _,
    ...rest
  } = others as Partial<Tool> & {
    execution?: unknown;
  };
  const { title, ...hints } = annotations ?? {};
  const given = "arguments" in rest ? (rest as Prompt).arguments : undefined;
  return {
    schemas: [inputSchema, outputSchema],
    description: description.trim(),
    others: sorted({
      ...rest,
      ...(rest.title === undefined && title !== undefined && { title }),
      ...(Object.keys(hints).length > 0 && { annotations: hints }),
      ...(given && {
        arguments: given.map((each) => ({ ...each, required: each.required ?? false })).toSorted(byName),
      }),
    }),
  };
}

/** Members in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  );
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

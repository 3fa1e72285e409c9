import { isDeepStrictEqual } from "node:util";
import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import type { EntryKind } from "../project/declared-entries.js";
import { breaking, type JudgedChange, judgeSchema, safe } from "./effects.js";
import { findSchemaChanges } from "./schema/schema-changes.js";
import type { Comparison, Definition } from "./server-description.js";

const COMPARISONS: { readonly [Kind in EntryKind]: Comparison<Kind, JudgedChange[]> } = {
  tool: compareTools,
  prompt: comparePrompts,
  resource: compareResources,
  "resource template": compareResources,
};

/** Returns the differences between two definitions of one kind, except in their wording. */
export function compareDefinitions(kind: EntryKind, before: Definition, after: Definition): JudgedChange[] {
  return (COMPARISONS[kind] as (before: Definition, after: Definition) => JudgedChange[])(before, after);
}

const WORDING = ["title", "description", "icons", "_meta"] as const;

/** Returns the differences in the texts for models and people, as one change. */
export function compareWording(before: Definition, after: Definition): JudgedChange[] {
  const names = WORDING.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return names.length === 0 ? [] : [{ effect: "wording", message: `has a different ${names.join(" and ")}` }];
}

function compareTools(before: Tool, after: Tool): JudgedChange[] {
  const [was, is] = [before.outputSchema, after.outputSchema];
  return [
    ...judgeSchema("arguments", findSchemaChanges(before.inputSchema, after.inputSchema)),
    ...(was && is ? judgeSchema("result", findSchemaChanges(was, is)) : []),
    ...(was && !is ? [breaking("no longer has an `outputSchema`")] : []),
    ...(!was && is ? [safe("now has an `outputSchema`")] : []),
    ...HINTS.flatMap((name): JudgedChange[] => {
      const [old, now] = [before.annotations?.[name], after.annotations?.[name]];
      if (old === now) return [];
      const message = `\`${name}\` is ${String(now ?? "not set")} (before: ${String(old ?? "not set")})`;
      return [{ effect: "permission", message }];
    }),
  ];
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function comparePrompts(before: Prompt, after: Prompt): JudgedChange[] {
  const changes = findSchemaChanges(toArgumentsSchema(before), toArgumentsSchema(after));
  const described = changes.map((each) =>
    each.change === "wording" ? { ...each, message: "has a different description" } : each,
  );
  return judgeSchema("arguments", described);
}

/** Returns the schema that a tool with the arguments of a prompt would have. */
export function toArgumentsSchema({ arguments: given = [] }: Pick<Prompt, "arguments">): JsonSchema {
  const properties = given.map(({ name, description, title }): [string, JsonSchema] => {
    const wording = {
      ...(description !== undefined && { description }),
      ...(title !== undefined && { title }),
    };
    return [name, { type: "string", ...wording }];
  });
  const required = given.flatMap(({ name, required }) => (required ? name : []));
  return { type: "object", properties: Object.fromEntries(properties), required };
}

function compareResources(
  before: Resource | ResourceTemplate,
  after: Resource | ResourceTemplate,
): JudgedChange[] {
  return [
    ...(before.mimeType === after.mimeType
      ? []
      : [breaking(`MIME type is ${after.mimeType ?? "not set"} (before: ${before.mimeType ?? "not set"})`)]),
    ...(before.name === after.name
      ? []
      : [breaking(`name is \`${after.name}\` (before: \`${before.name}\`)`)]),
  ];
}

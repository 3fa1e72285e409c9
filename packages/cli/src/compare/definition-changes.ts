import { isDeepStrictEqual } from "node:util";
import { findKeyword } from "@tenon/compiler/keywords";
import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import type { EntryKind } from "../project/declared-entries.js";
import { formatList } from "../terminal/text-format.js";
import { compareLimits, getEntryLimits } from "./bigint-limits.js";
import { breaking, type ContractChange, toContractChanges, safe } from "./effects.js";
import type { Schema, SchemaChange } from "./schema/schema-change.js";
import { findSchemaChanges } from "./schema/schema-changes.js";
import type { Definition, EntryDescription } from "./server-description.js";

/** Returns the differences between two entries of one kind, except in their wording. */
export function compareEntries(
  kind: EntryKind,
  before: EntryDescription<Definition>,
  after: EntryDescription<Definition>,
): ContractChange[] {
  const changes = findSchemaChanges(getAccepted(kind, before), getAccepted(kind, after));
  // Clients send the arguments of prompts and the variables of URIs as text, so text without limits accepts all values.
  const isCovered = ({ change, presence, member }: SchemaChange): boolean =>
    kind !== "tool" && change === "fewer" && presence === undefined && isAnyText(member.after);
  const accepted = [
    ...toContractChanges(
      "arguments",
      changes.filter((each) => !isCovered(each)),
    ),
    ...compareLimits(
      before.bigintLimits ?? getEntryLimits(before),
      after.bigintLimits ?? getEntryLimits(after),
    ),
  ];
  const [earlier, current] = [before.definition, after.definition];
  if (kind === "prompt") return accepted;
  const listsOther =
    changes.length === 0 &&
    kind === "tool" &&
    findSchemaChanges((earlier as Tool).inputSchema, (current as Tool).inputSchema).length > 0;
  return kind === "tool"
    ? [
        ...accepted,
        // A profile simplifies what clients see, not what the server accepts.
        ...(listsOther
          ? [{ effect: "wording" as const, message: "lists another schema for the same arguments" }]
          : []),
        ...compareUnknownArguments(before, after),
        ...compareTools(earlier as Tool, current as Tool),
      ]
    : [...accepted, ...compareResources(earlier as Resource, current as Resource)];
}

/** Returns the schema of the arguments that an entry accepts. Older contracts lack the schemas of prompts and templates. */
function getAccepted(
  kind: EntryKind,
  { definition, input }: EntryDescription<Definition>,
): JsonSchema | undefined {
  if (input?.schema !== undefined) return input.schema;
  if (kind === "tool") return (definition as Tool).inputSchema;
  return kind === "prompt" ? toArgumentsSchema(definition as Prompt) : undefined;
}

function isAnyText(schema: Schema): boolean {
  if (typeof schema !== "object" || schema.type !== "string") return false;
  return Object.keys(schema).every((name) => name === "type" || findKeyword(name)?.role === "annotation");
}

/** Compares how unknown arguments are treated. Calls with such arguments work only if the tool ignores them. */
function compareUnknownArguments(
  { unknownArguments: earlier }: EntryDescription<unknown>,
  { unknownArguments: current }: EntryDescription<unknown>,
): ContractChange[] {
  if (earlier === current) return [];
  return current === "ignore"
    ? [safe("now ignores unknown arguments")]
    : [breaking("now rejects unknown arguments")];
}

const WORDING = ["title", "description", "icons", "_meta", "annotations", "size"] as const;

/** Returns the differences in wording for models and people, as one change. */
export function compareWording(before: Definition, after: Definition): ContractChange[] {
  const [earlier, current] = [omitHints(before), omitHints(after)];
  const names = WORDING.filter((name) => !isDeepStrictEqual(earlier[name], current[name]));
  if (names.length === 0) return [];
  return [
    { effect: "wording", message: `has a different ${formatList(names.map((each) => `\`${each}\``))}` },
  ];
}

/** Returns a definition without the hints in its annotations, which are compared one by one. */
function omitHints(given: Definition): Readonly<Record<string, unknown>> {
  const { annotations = {}, ...definition } = given as Definition & { annotations?: object };
  const described = Object.entries(annotations).filter(([name]) => !HINTS.some((hint) => hint === name));
  return { ...definition, annotations: Object.fromEntries(described) };
}

function compareTools(before: Tool, after: Tool): ContractChange[] {
  const [earlier, current] = [before.outputSchema, after.outputSchema];
  return [
    ...(earlier && current ? toContractChanges("result", findSchemaChanges(earlier, current)) : []),
    ...(earlier && !current ? [breaking("no longer has an `outputSchema`")] : []),
    ...(!earlier && current ? [safe("now has an `outputSchema`")] : []),
    ...HINTS.flatMap((name): ContractChange[] => {
      const [old, now] = [before.annotations?.[name], after.annotations?.[name]];
      if (old === now) return [];
      const message = `\`${name}\` is ${String(now ?? "not set")} (before: ${String(old ?? "not set")})`;
      return [{ effect: "permission", message }];
    }),
  ];
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** Converts the arguments of a prompt to the input schema of a tool with the same arguments. */
export function toArgumentsSchema({ arguments: given = [] }: Pick<Prompt, "arguments">): JsonSchema {
  const properties = given.map(({ name, description, title }): [string, JsonSchema] => {
    const wording = {
      ...(description !== undefined && { description }),
      ...(title !== undefined && { title }),
    };
    return [name, { type: "string", ...wording }];
  });
  const required = given.flatMap(({ name, required }) => (required ? name : []));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

function compareResources(
  before: Resource | ResourceTemplate,
  after: Resource | ResourceTemplate,
): ContractChange[] {
  return [
    ...(before.mimeType === after.mimeType
      ? []
      : [breaking(`MIME type is ${after.mimeType ?? "not set"} (before: ${before.mimeType ?? "not set"})`)]),
    ...(before.name === after.name
      ? []
      : [breaking(`name is \`${after.name}\` (before: \`${before.name}\`)`)]),
  ];
}

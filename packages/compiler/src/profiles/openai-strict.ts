import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { STRICT_FORMATS } from "../json-schema/formats.js";
import {
  moveToDescription,
  findDescribableKeywords,
  withSentence,
} from "../json-schema/keyword-sentences.js";
import {
  allowsType,
  allowsAnyValue,
  isOpen,
  LoweringState,
  joinElements,
  describeTuple,
  type LoweredSchema,
  type Path,
} from "./lowering.js";

/** Keywords that strict mode rejects, but a description can express. */
const UNSUPPORTED = findDescribableKeywords("openai-strict");

/**
 * The profile `openai-strict`: the schemas that OpenAI accepts for a function with `strict: true`. Every object is
 * closed and requires all its members. Optional members may be null, and rejected keywords become sentences.
 */
export function lowerForOpenAiStrict(schema: JsonSchema): LoweredSchema {
  const state = new LoweringState(schema);
  const { $defs, ...root } = schema;
  const lowered = lowerObject(root, [], state);
  if (isOpen(root)) state.addLoss([], "are listed without properties whose names are not fixed");
  const defs = Object.entries($defs ?? {}).map(
    ([name, each]) => [name, lowerStrict(each, [name], state)] as const,
  );
  return {
    schema: defs.length > 0 ? { ...lowered, $defs: Object.fromEntries(defs) } : lowered,
    losses: state.losses,
  };
}

function lowerStrict(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  const { $ref, description, ...others } = schema;
  // Strict mode accepts no keyword next to a reference.
  if ($ref !== undefined) return description === undefined ? { $ref } : { description, anyOf: [{ $ref }] };
  if (allowsAnyValue(schema))
    return lowerAnything({ ...others, ...(description !== undefined && { description }) }, path, state);
  const described = withoutFormat(moveToDescription(schema, UNSUPPORTED));
  if (described.anyOf) {
    return {
      ...described,
      anyOf: state.lowerBranches(described.anyOf, path, (branch) => lowerStrict(branch, path, state)),
    };
  }
  if (isOpen(described)) return state.toJsonText(schema, path);
  if (allowsType(described, "object")) return lowerObject(described, path, state);
  return allowsType(described, "array") ? lowerArray(described, path, state) : described;
}

function withoutFormat(schema: JsonSchema): JsonSchema {
  const isKnown = schema.format === undefined || STRICT_FORMATS.has(schema.format);
  return isKnown ? schema : moveToDescription(schema, ["format"]);
}

function lowerAnything(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  state.addLoss(path, "is listed as text, a number, true or false, or null, not as an object or array");
  return moveToDescription({ ...schema, type: ["string", "number", "boolean", "null"] }, UNSUPPORTED);
}

function lowerObject(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  const { type, properties = {}, required = [], additionalProperties: _, ...rest } = schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const at = [...path, name];
    const lowered = lowerStrict(member, at, state);
    return [name, required.includes(name) ? lowered : makeNullable(lowered, at, state)] as const;
  });
  return {
    type: type ?? "object",
    properties: Object.fromEntries(members),
    required: members.map(([name]) => name),
    additionalProperties: false,
    ...rest,
  };
}

function lowerArray(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  const { prefixItems, items, ...rest } = schema;
  if (!prefixItems) {
    const each = typeof items === "object" ? items : {};
    return { ...rest, items: lowerStrict(each, [...path, "[]"], state) };
  }
  const elements = prefixItems.map((each, index) => lowerStrict(each, [...path, `[${index}]`], state));
  const tail = typeof items === "object" ? lowerStrict(items, [...path, "[]"], state) : items;
  return withSentence({ ...rest, items: joinElements(elements, tail) }, describeTuple(elements, tail));
}

/** Adds `null` for an omitted member: strict mode requires every member. */
function makeNullable(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  const { "x-mcp-header": header, ...rest } = schema;
  // Headers repeat text, a number, or a boolean. Clients drop a tool with other types there.
  if (header !== undefined) state.addLoss(path, "is not sent in a header, because it may be null");
  if (rest.$ref !== undefined) return { anyOf: [{ $ref: rest.$ref }, { type: "null" }] };
  if (allowsType(rest, "null")) return rest;
  if (rest.anyOf) return { ...rest, anyOf: [...rest.anyOf, { type: "null" }] };
  const types: JsonTypeName[] = [...[rest.type ?? []].flat(), "null"];
  return { ...rest, type: types, ...(rest.enum && { enum: [...rest.enum, null] }) };
}

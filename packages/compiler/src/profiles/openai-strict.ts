import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { STRICT_FORMATS } from "../json-schema/formats.js";
import { intoDescription, keywordsInWords, withSentence } from "../json-schema/keyword-sentences.js";
import {
  allowsType,
  isAnything,
  isOpen,
  LoweringState,
  tupleItems,
  tupleWords,
  type Lowered,
  type Path,
} from "./lowering.js";

/** What strict mode refuses and words can say. */
const UNSUPPORTED = keywordsInWords("openai-strict");

/**
 * The profile `openai-strict`: what OpenAI takes for a function with `strict: true`. Every object is closed and
 * requires all its members, optional ones may be null, and keywords that strict mode refuses become words.
 */
export function openaiStrict(schema: JsonSchema): Lowered {
  const state = new LoweringState(schema);
  const { $defs, ...root } = schema;
  const lowered = objectOf(root, [], state);
  if (isOpen(root)) state.lose([], "are listed without properties whose names are not fixed");
  const defs = Object.entries($defs ?? {}).map(
    ([name, each]) => [name, strict(each, [name], state)] as const,
  );
  return {
    schema: defs.length > 0 ? { ...lowered, $defs: Object.fromEntries(defs) } : lowered,
    losses: state.losses,
  };
}

function strict(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  const { $ref, description, ...others } = schema;
  // Strict mode takes nothing beside a reference.
  if ($ref !== undefined) return description === undefined ? { $ref } : { description, anyOf: [{ $ref }] };
  if (isAnything(schema))
    return anything({ ...others, ...(description !== undefined && { description }) }, path, state);
  const told = withoutFormat(intoDescription(schema, UNSUPPORTED));
  if (told.anyOf) {
    return { ...told, anyOf: state.branches(told.anyOf, path, (branch) => strict(branch, path, state)) };
  }
  if (isOpen(told)) return state.asText(schema, path);
  if (allowsType(told, "object")) return objectOf(told, path, state);
  return allowsType(told, "array") ? arrayOf(told, path, state) : told;
}

function withoutFormat(schema: JsonSchema): JsonSchema {
  const isKnown = schema.format === undefined || STRICT_FORMATS.has(schema.format);
  return isKnown ? schema : intoDescription(schema, ["format"]);
}

function anything(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  state.lose(path, "is listed as text, a number, true or false, or null, not as an object or array");
  return intoDescription({ ...schema, type: ["string", "number", "boolean", "null"] }, UNSUPPORTED);
}

function objectOf(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  const { type, properties = {}, required = [], additionalProperties: _, ...rest } = schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const at = [...path, name];
    const lowered = strict(member, at, state);
    return [name, required.includes(name) ? lowered : nullable(lowered, at, state)] as const;
  });
  return {
    type: type ?? "object",
    properties: Object.fromEntries(members),
    required: members.map(([name]) => name),
    additionalProperties: false,
    ...rest,
  };
}

function arrayOf(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  const { prefixItems, items, ...rest } = schema;
  if (!prefixItems) {
    const each = typeof items === "object" ? items : {};
    return { ...rest, items: strict(each, [...path, "[]"], state) };
  }
  const elements = prefixItems.map((each, index) => strict(each, [...path, `[${index}]`], state));
  const tail = typeof items === "object" ? strict(items, [...path, "[]"], state) : items;
  return withSentence({ ...rest, items: tupleItems(elements, tail) }, tupleWords(elements, tail));
}

/** Left out is `null`: strict mode wants every member sent. */
function nullable(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  const { "x-mcp-header": header, ...rest } = schema;
  // A header repeats text, a number or a boolean; clients drop a tool that wants more of it.
  if (header !== undefined) state.lose(path, "is not sent in a header, because it may be null");
  if (rest.$ref !== undefined) return { anyOf: [{ $ref: rest.$ref }, { type: "null" }] };
  if (allowsType(rest, "null")) return rest;
  if (rest.anyOf) return { ...rest, anyOf: [...rest.anyOf, { type: "null" }] };
  const types: JsonTypeName[] = [...[rest.type ?? []].flat(), "null"];
  return { ...rest, type: types, ...(rest.enum && { enum: [...rest.enum, null] }) };
}

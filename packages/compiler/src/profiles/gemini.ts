import type { JsonSchema, JsonTypeName, JsonValue } from "@tenon/runtime/manifest";
import { nameOfTarget, targetOf } from "../json-schema/definitions.js";
import { GEMINI_FORMATS } from "../json-schema/formats.js";
import { keyword } from "../json-schema/keywords.js";
import { intoDescription, keywordsInWords, withSentence } from "../json-schema/keyword-sentences.js";
import {
  isAnything,
  isOpen,
  LoweringState,
  tupleItems,
  tupleWords,
  type Lowered,
  type Path,
} from "./lowering.js";

/** What the `parameters` of a Gemini function declaration do not know, and words can say. */
const UNSUPPORTED = keywordsInWords("gemini");

/** How many times a recursive type is written out inside itself. */
const MOST_REPEATS = 2;

/**
 * The profile `gemini`: the subset of OpenAPI 3.0 that Gemini takes as the `parameters` of a function. One type
 * each with `nullable`, enumerations of strings only, no references: recursive types are written out to a small
 * depth, and what lies deeper is JSON text.
 */
export function gemini(schema: JsonSchema): Lowered {
  const state = new LoweringState(schema);
  const { $defs: _, ...root } = schema;
  const lowered = objectOf(root, [], state, []);
  if (isOpen(root)) state.lose([], "are listed without properties whose names are not fixed");
  return { schema: lowered, losses: state.losses };
}

/** @param open the definitions being written out around this place */
function lowerAny(schema: JsonSchema, path: Path, state: LoweringState, open: readonly string[]): JsonSchema {
  if (schema.$ref !== undefined) return inlined(schema, path, state, open);
  if (isAnything(schema)) return anything(schema, path, state);
  if (schema.anyOf) return unionOf(schema, schema.anyOf, path, state, open);
  const types = [schema.type ?? []].flat();
  const [first, ...more] = types.filter((type) => type !== "null");
  const nullable = types.includes("null") ? { nullable: true } : {};
  if (first === undefined) return { ...withoutValues(schema), type: "string", ...nullable, enum: ["null"] };
  if (more.length > 0) return { ...splitTypes(schema, [first, ...more], path, state, open), ...nullable };
  return { ...ofType({ ...schema, type: first }, first, path, state, open), ...nullable };
}

function inlined(schema: JsonSchema, path: Path, state: LoweringState, open: readonly string[]): JsonSchema {
  const name = nameOfTarget(schema) ?? "";
  const target = targetOf(schema, state.defs) ?? {};
  const { $ref: _, ...own } = schema;
  if (open.filter((each) => each === name).length < MOST_REPEATS) {
    return lowerAny({ ...target, ...own }, path, state, [...open, name]);
  }
  state.lose(path, "is listed as JSON text from this depth on");
  return withSentence(
    { type: "string", ...own },
    `JSON text of another ${name}, of the form described above.`,
  );
}

function anything(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  state.lose(path, "is listed as text, a number, or true or false, not as an object or array");
  const told = intoDescription(schema, UNSUPPORTED);
  return { ...told, nullable: true, anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] };
}

function unionOf(
  schema: JsonSchema,
  branches: readonly JsonSchema[],
  path: Path,
  state: LoweringState,
  open: readonly string[],
): JsonSchema {
  const others = branches.filter((branch) => branch.type !== "null");
  const nullable = others.length < branches.length ? { nullable: true } : {};
  const { anyOf: _, ...rest } = intoDescription(schema, UNSUPPORTED);
  const lowered = state.branches(others, path, (branch) => lowerAny(branch, path, state, open));
  const [only] = lowered;
  if (lowered.length === 1 && only) return { ...only, ...rest, ...nullable };
  return { ...rest, anyOf: lowered, ...nullable };
}

/** A type list as alternatives, each with the keywords and values of its own type. */
function splitTypes(
  schema: JsonSchema,
  types: readonly JsonTypeName[],
  path: Path,
  state: LoweringState,
  open: readonly string[],
): JsonSchema {
  const { type: _, title, description, default: given, examples, deprecated, ...keywords } = schema;
  const annotations: JsonSchema = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(given !== undefined && { default: given }),
    ...(examples !== undefined && { examples }),
    ...(deprecated !== undefined && { deprecated }),
  };
  const anyOf = types.map((type) => {
    const values = keywords.enum?.filter((value) => isOfType(value, type));
    const own = onlyOf(type, { ...keywords, type, ...(values && { enum: values }) });
    return ofType(own, type, path, state, open);
  });
  return { ...intoDescription(annotations, UNSUPPORTED), anyOf };
}

/** The schema without the keywords of other types. */
function onlyOf(type: JsonTypeName, schema: JsonSchema): JsonSchema {
  const kind = type === "integer" ? "number" : type;
  const isForeign = (name: string): boolean => keyword(name)?.of?.every((each) => each !== kind) === true;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !isForeign(name)));
}

function isOfType(value: JsonValue, type: JsonTypeName): boolean {
  return typeof value === (type === "integer" ? "number" : type);
}

function ofType(
  schema: JsonSchema,
  type: JsonTypeName,
  path: Path,
  state: LoweringState,
  open: readonly string[],
): JsonSchema {
  switch (type) {
    case "object":
      return isOpen(schema)
        ? state.asText(schema, path)
        : objectOf(intoDescription(schema, UNSUPPORTED), path, state, open);
    case "array":
      return arrayOf(intoDescription(schema, UNSUPPORTED), path, state, open);
    case "string":
      return stringOf(intoDescription(schema, UNSUPPORTED));
    default:
      return scalarOf(withInclusiveBounds(schema, type));
  }
}

function objectOf(schema: JsonSchema, path: Path, state: LoweringState, open: readonly string[]): JsonSchema {
  const { properties = {}, additionalProperties: _, ...rest } = schema;
  const members = Object.entries(properties).map(
    ([name, member]) => [name, lowerAny(member, [...path, name], state, open)] as const,
  );
  return { ...rest, properties: Object.fromEntries(members) };
}

function arrayOf(schema: JsonSchema, path: Path, state: LoweringState, open: readonly string[]): JsonSchema {
  const { prefixItems, items, ...rest } = schema;
  if (!prefixItems) {
    const each = typeof items === "object" ? items : {};
    return { ...rest, items: lowerAny(each, [...path, "[]"], state, open) };
  }
  const elements = prefixItems.map((each, index) => lowerAny(each, [...path, `[${index}]`], state, open));
  const tail = typeof items === "object" ? lowerAny(items, [...path, "[]"], state, open) : items;
  return withSentence({ ...rest, items: tupleItems(elements, tail) }, tupleWords(elements, tail));
}

function stringOf(schema: JsonSchema): JsonSchema {
  const { enum: values, ...rest } = schema;
  const texts = values?.filter((value) => value !== null);
  const kept = texts ? { ...rest, enum: texts } : rest;
  const isKnown = kept.format === undefined || GEMINI_FORMATS.has(kept.format);
  return isKnown ? kept : intoDescription(kept, ["format"]);
}

/** Numbers and booleans: their enumerations are refused. */
function scalarOf(schema: JsonSchema): JsonSchema {
  const { enum: values, ...rest } = schema;
  const listed = values?.filter((value) => value !== null);
  const told = listed ? intoDescription({ ...rest, enum: listed }, ["enum"]) : rest;
  return intoDescription(told, UNSUPPORTED);
}

/** Of whole numbers, more than 0 is at least 1. */
function withInclusiveBounds(schema: JsonSchema, type: JsonTypeName): JsonSchema {
  if (type !== "integer") return schema;
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...rest } = schema;
  const lowest = Math.max(rest.minimum ?? -Infinity, above === undefined ? -Infinity : Math.floor(above) + 1);
  const highest = Math.min(rest.maximum ?? Infinity, below === undefined ? Infinity : Math.ceil(below) - 1);
  return {
    ...rest,
    ...(Number.isFinite(lowest) && { minimum: lowest }),
    ...(Number.isFinite(highest) && { maximum: highest }),
  };
}

function withoutValues(schema: JsonSchema): JsonSchema {
  const { enum: _, ...rest } = intoDescription(schema, UNSUPPORTED);
  return rest;
}

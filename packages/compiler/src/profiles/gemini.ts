import type { JsonSchema, JsonTypeName, JsonValue } from "@tenon/runtime/manifest";
import { getTargetName, findTarget } from "../json-schema/definitions.js";
import { GEMINI_FORMATS } from "../json-schema/formats.js";
import { findKeyword } from "../json-schema/keywords.js";
import {
  moveToDescription,
  findDescribableKeywords,
  withSentence,
} from "../json-schema/keyword-sentences.js";
import {
  allowsAnyValue,
  isOpen,
  LoweringState,
  joinElements,
  describeTuple,
  type LoweredSchema,
  type Path,
} from "./lowering.js";

/** Keywords that Gemini's `parameters` do not support, but a description can express. */
const UNSUPPORTED = findDescribableKeywords("gemini");

/** Maximum depth to which a recursive type is expanded. */
const MAX_REPETITIONS = 2;

/**
 * The profile `gemini`: the subset of OpenAPI 3.0 that Gemini accepts as the `parameters` of a function. Each schema
 * has one type with `nullable`, and only strings have enumerations. There are no references: recursive types are
 * expanded to a limited depth, and deeper values are JSON text.
 */
export function lowerForGemini(schema: JsonSchema): LoweredSchema {
  const state = new LoweringState(schema);
  const { $defs: _, ...root } = schema;
  const lowered = lowerObject(root, [], state, []);
  if (isOpen(root)) state.addLoss([], "are listed without properties whose names are not fixed");
  return { schema: lowered, losses: state.losses };
}

/**
 * Lowers a schema of any type.
 *
 * @param open the definitions that are being expanded around this schema
 */
function lowerAny(schema: JsonSchema, path: Path, state: LoweringState, open: readonly string[]): JsonSchema {
  if (schema.$ref !== undefined) return inlineReference(schema, path, state, open);
  if (allowsAnyValue(schema)) return lowerAnything(schema, path, state);
  if (schema.anyOf) return lowerUnion(schema, schema.anyOf, path, state, open);
  const types = [schema.type ?? []].flat();
  const [first, ...more] = types.filter((type) => type !== "null");
  const nullable = types.includes("null") ? { nullable: true } : {};
  if (first === undefined) return { ...withoutValues(schema), type: "string", ...nullable, enum: ["null"] };
  if (more.length > 0) return { ...splitTypes(schema, [first, ...more], path, state, open), ...nullable };
  return { ...lowerType({ ...schema, type: first }, first, path, state, open), ...nullable };
}

function inlineReference(
  schema: JsonSchema,
  path: Path,
  state: LoweringState,
  open: readonly string[],
): JsonSchema {
  const name = getTargetName(schema) ?? "";
  const target = findTarget(schema, state.defs) ?? {};
  const { $ref: _, ...own } = schema;
  if (open.filter((each) => each === name).length < MAX_REPETITIONS) {
    return lowerAny({ ...target, ...own }, path, state, [...open, name]);
  }
  state.addLoss(path, "is listed as JSON text at this depth and below");
  return withSentence(
    { type: "string", ...own },
    `JSON text of another ${name}, of the form described above.`,
  );
}

function lowerAnything(schema: JsonSchema, path: Path, state: LoweringState): JsonSchema {
  state.addLoss(path, "is listed as text, a number, or true or false, not as an object or array");
  const described = moveToDescription(schema, UNSUPPORTED);
  return {
    ...described,
    nullable: true,
    anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }],
  };
}

function lowerUnion(
  schema: JsonSchema,
  branches: readonly JsonSchema[],
  path: Path,
  state: LoweringState,
  open: readonly string[],
): JsonSchema {
  const others = branches.filter((branch) => branch.type !== "null");
  const nullable = others.length < branches.length ? { nullable: true } : {};
  const { anyOf: _, ...rest } = moveToDescription(schema, UNSUPPORTED);
  const lowered = state.lowerBranches(others, path, (branch) => lowerAny(branch, path, state, open));
  const [only] = lowered;
  if (lowered.length === 1 && only) return { ...only, ...rest, ...nullable };
  return { ...rest, anyOf: lowered, ...nullable };
}

/** Converts a list of types to alternatives, each with the keywords and values of its own type. */
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
    const values = keywords.enum?.filter((value) => hasType(value, type));
    const own = pickKeywords(type, { ...keywords, type, ...(values && { enum: values }) });
    return lowerType(own, type, path, state, open);
  });
  return { ...moveToDescription(annotations, UNSUPPORTED), anyOf };
}

/** Returns the schema without the keywords of other types. */
function pickKeywords(type: JsonTypeName, schema: JsonSchema): JsonSchema {
  const kind = type === "integer" ? "number" : type;
  const isForeign = (name: string): boolean => findKeyword(name)?.of?.every((each) => each !== kind) === true;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !isForeign(name)));
}

function hasType(value: JsonValue, type: JsonTypeName): boolean {
  return typeof value === (type === "integer" ? "number" : type);
}

function lowerType(
  schema: JsonSchema,
  type: JsonTypeName,
  path: Path,
  state: LoweringState,
  open: readonly string[],
): JsonSchema {
  switch (type) {
    case "object":
      return isOpen(schema)
        ? state.toJsonText(schema, path)
        : lowerObject(moveToDescription(schema, UNSUPPORTED), path, state, open);
    case "array":
      return lowerArray(moveToDescription(schema, UNSUPPORTED), path, state, open);
    case "string":
      return lowerString(moveToDescription(schema, UNSUPPORTED));
    default:
      return lowerScalar(withInclusiveBounds(schema, type));
  }
}

function lowerObject(
  schema: JsonSchema,
  path: Path,
  state: LoweringState,
  open: readonly string[],
): JsonSchema {
  const { properties = {}, additionalProperties: _, ...rest } = schema;
  const members = Object.entries(properties).map(
    ([name, member]) => [name, lowerAny(member, [...path, name], state, open)] as const,
  );
  return { ...rest, properties: Object.fromEntries(members) };
}

function lowerArray(
  schema: JsonSchema,
  path: Path,
  state: LoweringState,
  open: readonly string[],
): JsonSchema {
  const { prefixItems, items, ...rest } = schema;
  if (!prefixItems) {
    const each = typeof items === "object" ? items : {};
    return { ...rest, items: lowerAny(each, [...path, "[]"], state, open) };
  }
  const elements = prefixItems.map((each, index) => lowerAny(each, [...path, `[${index}]`], state, open));
  const tail = typeof items === "object" ? lowerAny(items, [...path, "[]"], state, open) : items;
  return withSentence({ ...rest, items: joinElements(elements, tail) }, describeTuple(elements, tail));
}

function lowerString(schema: JsonSchema): JsonSchema {
  const { enum: values, ...rest } = schema;
  const texts = values?.filter((value) => value !== null);
  const textual = texts ? { ...rest, enum: texts } : rest;
  const isKnown = textual.format === undefined || GEMINI_FORMATS.has(textual.format);
  return isKnown ? textual : moveToDescription(textual, ["format"]);
}

/** Lowers numbers and booleans: Gemini rejects their enumerations. */
function lowerScalar(schema: JsonSchema): JsonSchema {
  const { enum: values, ...rest } = schema;
  const listed = values?.filter((value) => value !== null);
  const described = listed ? moveToDescription({ ...rest, enum: listed }, ["enum"]) : rest;
  return moveToDescription(described, UNSUPPORTED);
}

/** Converts exclusive bounds of integers: more than 0 is at least 1. */
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
  const { enum: _, ...rest } = moveToDescription(schema, UNSUPPORTED);
  return rest;
}

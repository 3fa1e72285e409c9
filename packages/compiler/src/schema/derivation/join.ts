import type { JsonSchema, JsonTypeName, JsonValue } from "@tenon/runtime/manifest";
import { createEnum } from "../../json-schema/enumeration.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { joinConversions } from "../../conversions/union-conversions.js";
import type { Direction } from "./derivation.js";
import { isScalarSchema, isScalarType } from "../../json-schema/scalar-schema.js";

/**
 * Returns the shortest schema that accepts every value that any of the fragments accepts.
 *
 * Scalar alternatives become a list of types (`["string", "null"]`), which keeps keywords and the description together.
 * All client families accept lists except Gemini's older `parameters` field, for which the `gemini` profile lowers
 * them. Structured alternatives become `anyOf`, which all accept below the root. `oneOf` would reject values that
 * several members allow.
 *
 * @param direction in outputs, values that the schema cannot distinguish are converted according to their own types
 */
export function joinFragments(fragments: readonly SchemaFragment[], direction: Direction): SchemaFragment {
  if (fragments.includes(UNSUPPORTED)) return UNSUPPORTED;
  const members = removeDuplicates(flatten(fragments.filter((fragment) => fragment !== NEVER)));
  const branches = removeIncluded(members);
  const [only] = branches;
  if (!only) return NEVER;
  const conversion =
    direction === "output" ? joinConversions(members, "value") : joinConversions(branches, "json");
  if (branches.some((branch) => Object.keys(branch.schema).length === 0))
    return { schema: {}, ...(direction === "output" && conversion && { conversion }) };
  const schemas = withNull(joinTemplates(joinPlainTypes(joinEnums(branches.map((branch) => branch.schema)))));
  const [schema] = schemas;
  return {
    schema: schemas.length === 1 && schema ? schema : { anyOf: schemas },
    ...(conversion && { conversion }),
  };
}

/** Makes a fragment accept `null` too, which every conversion leaves unchanged. */
export function allowNull(fragment: SchemaFragment): SchemaFragment {
  if (fragment === UNSUPPORTED) return fragment;
  const alternatives = fragment === NEVER ? [] : [{ schema: fragment.schema }];
  const { schema } = joinFragments([...alternatives, { schema: { type: "null" } }], "input");
  return { ...fragment, schema };
}

/** Replaces each fragment that consists only of `anyOf` with its members. */
function flatten(fragments: readonly SchemaFragment[]): SchemaFragment[] {
  return fragments.flatMap((fragment) => {
    const { anyOf, ...rest } = fragment.schema;
    if (!anyOf || Object.keys(rest).length > 0 || fragment.conversion) return [fragment];
    return anyOf.map((schema) => ({ schema }));
  });
}

function removeDuplicates(fragments: readonly SchemaFragment[]): SchemaFragment[] {
  const seen = new Map<string, SchemaFragment>();
  for (const fragment of fragments) {
    const key = JSON.stringify(fragment);
    if (!seen.has(key)) seen.set(key, fragment);
  }
  return [...seen.values()];
}

/** Removes alternatives that a plain type includes: `"a" | string` and `Date | string` both become `string`. */
function removeIncluded(fragments: readonly SchemaFragment[]): SchemaFragment[] {
  const plain = new Set(
    fragments
      .filter((fragment) => !fragment.conversion)
      .flatMap((fragment) => listPlainTypes(fragment.schema)),
  );
  return fragments.filter((fragment) => {
    if (listPlainTypes(fragment.schema).length > 0) return true;
    const { type } = fragment.schema;
    return !(typeof type === "string" && (plain.has(type) || (type === "integer" && plain.has("number"))));
  });
}

/** Returns the types of a schema without other keywords. */
function listPlainTypes(schema: JsonSchema): JsonTypeName[] {
  const { type, ...rest } = schema;
  if (type === undefined || Object.keys(rest).length > 0) return [];
  const names = [type].flat();
  return names.every(isScalarType) ? names : [];
}

function isEnum(schema: JsonSchema): schema is JsonSchema & { enum: JsonValue[] } {
  return schema.enum !== undefined && Object.keys(schema).every((key) => key === "type" || key === "enum");
}

function joinEnums(schemas: JsonSchema[]): JsonSchema[] {
  const enums = schemas.filter(isEnum);
  if (enums.length < 2) return schemas;
  const values = [...new Set(enums.flatMap((schema) => schema.enum))];
  const others = values.filter((value) => typeof value !== "boolean");
  if (values.length - others.length < 2) return replaceAll(schemas, isEnum, createEnum(values));
  const booleanSchema: JsonSchema = { type: "boolean" };
  if (others.length === 0) return replaceAll(schemas, isEnum, booleanSchema);
  return [...replaceAll(schemas, isEnum, createEnum(others)), booleanSchema];
}

function joinPlainTypes(schemas: JsonSchema[]): JsonSchema[] {
  const isPlain = (schema: JsonSchema): boolean => listPlainTypes(schema).some((name) => name !== "null");
  const types = [...new Set(schemas.filter(isPlain).flatMap((schema) => listPlainTypes(schema)))];
  const names = types.includes("number") ? types.filter((name) => name !== "integer") : types;
  const [only] = names;
  return only ? replaceAll(schemas, isPlain, { type: names.length === 1 ? only : names }) : schemas;
}

/** Combines several template patterns of one union (`${"a" | "b"}-${string}`) into one. */
function joinTemplates(schemas: JsonSchema[]): JsonSchema[] {
  const isTemplate = (schema: JsonSchema): boolean =>
    schema.type === "string" && isWholeTextPattern(schema.pattern) && Object.keys(schema).length === 2;
  const patterns = schemas.filter(isTemplate).map((schema) => (schema.pattern ?? "").replace(/^\^|\$$/g, ""));
  if (patterns.length < 2) return schemas;
  return replaceAll(schemas, isTemplate, { type: "string", pattern: `^(?:${patterns.join("|")})$` });
}

/** Returns whether a pattern is one sequence that matches a whole string. An author's pattern may be something else, such as `^a|b$`. */
function isWholeTextPattern(pattern = ""): boolean {
  if (!/^\^.*\$$/s.test(pattern)) return false;
  let depth = 0;
  let isClass = false;
  for (let index = 1; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === "\\") {
      index++;
      if (index === pattern.length - 1) return false;
    } else if (isClass) isClass = character !== "]";
    else if (character === "[") isClass = true;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "|" && depth === 0) return false;
  }
  return true;
}

/** Adds `null` to the enum or the only scalar, or else as a separate alternative. */
function withNull(schemas: JsonSchema[]): JsonSchema[] {
  const isNull = (schema: JsonSchema): boolean => schema.type === "null" && Object.keys(schema).length === 1;
  const others = schemas.filter((schema) => !isNull(schema));
  if (others.length === schemas.length || others.length === 0) return schemas;
  // `undefined` in a result becomes `null`, and may occur next to `null` itself.
  if (others.some(({ type }) => Array.isArray(type) && type.includes("null"))) return others;
  const host =
    others.find((schema) => listPlainTypes(schema).length > 0) ??
    // The other keywords of a scalar apply to strings or numbers only, and so accept `null`.
    others.find((schema) => isScalarSchema(schema) && (others.length === 1 || !schema.description));
  if (!host) return [...others, { type: "null" }];
  const type = [...[host.type ?? []].flat(), "null" as const];
  const joined = { ...host, type, ...(host.enum && { enum: [...host.enum, null] }) };
  return others.map((schema) => (schema === host ? joined : schema));
}

/** Puts `joined` in the position of the first match, and removes the other matches. */
function replaceAll(
  schemas: JsonSchema[],
  matches: (schema: JsonSchema) => boolean,
  joined: JsonSchema,
): JsonSchema[] {
  const first = schemas.findIndex((schema) => matches(schema));
  return schemas.flatMap((schema, index) => (index === first ? [joined] : matches(schema) ? [] : [schema]));
}

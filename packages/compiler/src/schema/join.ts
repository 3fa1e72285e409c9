import type { JsonSchema, JsonTypeName, JsonValue } from "@tenon/runtime/manifest";
import { enumeration } from "../json-schema/enumeration.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../json-schema/fragment.js";
import { joinConversions } from "../conversions/union-conversions.js";
import type { Direction } from "./derivation.js";
import { isScalarSchema, isScalarType } from "../json-schema/scalar-schema.js";

/**
 * The shortest schema that accepts what any of the fragments accepts.
 *
 * Alternatives of scalars become a list of types (`["string", "null"]`): keywords and description then stay in
 * one place, and every family of clients takes it but Gemini's older `parameters` field, for which the profile
 * `gemini` lowers lists again. Alternatives with structure become `anyOf`, which all take below the root;
 * `oneOf` would refuse values that several members allow.
 *
 * @param direction of results, what the schema does not tell apart is converted all the same, since the value does
 */
export function joinFragments(fragments: readonly SchemaFragment[], direction: Direction): SchemaFragment {
  if (fragments.includes(UNSUPPORTED)) return UNSUPPORTED;
  const members = distinct(flatten(fragments.filter((fragment) => fragment !== NEVER)));
  const branches = absorb(members);
  const [only] = branches;
  if (!only) return NEVER;
  const conversion =
    direction === "output" ? joinConversions(members, "value") : joinConversions(branches, "json");
  if (branches.some((branch) => Object.keys(branch.schema).length === 0))
    return { schema: {}, ...(direction === "output" && conversion && { conversion }) };
  const schemas = withNull(joinTemplates(joinPlain(joinEnums(branches.map((branch) => branch.schema)))));
  const [schema] = schemas;
  return {
    schema: schemas.length === 1 && schema ? schema : { anyOf: schemas },
    ...(conversion && { conversion }),
  };
}

/** The fragment of a value that may be `null` as well, which every conversion leaves as it is. */
export function orNull(fragment: SchemaFragment): SchemaFragment {
  if (fragment === UNSUPPORTED) return fragment;
  const alternatives = fragment === NEVER ? [] : [{ schema: fragment.schema }];
  const { schema } = joinFragments([...alternatives, { schema: { type: "null" } }], "input");
  return { ...fragment, schema };
}

/** Alternatives of alternatives are alternatives. */
function flatten(fragments: readonly SchemaFragment[]): SchemaFragment[] {
  return fragments.flatMap((fragment) => {
    const { anyOf, ...rest } = fragment.schema;
    if (!anyOf || Object.keys(rest).length > 0 || fragment.conversion) return [fragment];
    return anyOf.map((schema) => ({ schema }));
  });
}

function distinct(fragments: readonly SchemaFragment[]): SchemaFragment[] {
  const seen = new Map<string, SchemaFragment>();
  for (const fragment of fragments) {
    const key = JSON.stringify(fragment);
    if (!seen.has(key)) seen.set(key, fragment);
  }
  return [...seen.values()];
}

/** `"a" | string` is `string`, and so is `Date | string`: a date cannot be recognised among strings. */
function absorb(fragments: readonly SchemaFragment[]): SchemaFragment[] {
  const plain = new Set(
    fragments.filter((fragment) => !fragment.conversion).flatMap((fragment) => plainTypes(fragment.schema)),
  );
  return fragments.filter((fragment) => {
    if (plainTypes(fragment.schema).length > 0) return true;
    const { type } = fragment.schema;
    return !(typeof type === "string" && (plain.has(type) || (type === "integer" && plain.has("number"))));
  });
}

/** The types of a schema that has no other keyword. */
function plainTypes(schema: JsonSchema): JsonTypeName[] {
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
  if (values.length - others.length < 2) return replaceAll(schemas, isEnum, enumeration(values));
  const either: JsonSchema = { type: "boolean" };
  if (others.length === 0) return replaceAll(schemas, isEnum, either);
  return [...replaceAll(schemas, isEnum, enumeration(others)), either];
}

function joinPlain(schemas: JsonSchema[]): JsonSchema[] {
  const isPlain = (schema: JsonSchema): boolean => plainTypes(schema).some((name) => name !== "null");
  const types = [...new Set(schemas.filter(isPlain).flatMap((schema) => plainTypes(schema)))];
  const names = types.includes("number") ? types.filter((name) => name !== "integer") : types;
  const [only] = names;
  return only ? replaceAll(schemas, isPlain, { type: names.length === 1 ? only : names }) : schemas;
}

/** Several patterns of one union (`${"a" | "b"}-${string}`) are one pattern. */
function joinTemplates(schemas: JsonSchema[]): JsonSchema[] {
  const isTemplate = (schema: JsonSchema): boolean =>
    schema.type === "string" && isWhole(schema.pattern) && Object.keys(schema).length === 2;
  const patterns = schemas.filter(isTemplate).map((schema) => (schema.pattern ?? "").replace(/^\^|\$$/g, ""));
  if (patterns.length < 2) return schemas;
  return replaceAll(schemas, isTemplate, { type: "string", pattern: `^(?:${patterns.join("|")})$` });
}

/** Whether a pattern is one sequence about all of a text. An author's own need not be: `^a|b$` is not. */
function isWhole(pattern = ""): boolean {
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

/** `null` joins the enum or the only scalar there is; otherwise it is an alternative of its own. */
function withNull(schemas: JsonSchema[]): JsonSchema[] {
  const isNull = (schema: JsonSchema): boolean => schema.type === "null" && Object.keys(schema).length === 1;
  const others = schemas.filter((schema) => !isNull(schema));
  if (others.length === schemas.length || others.length === 0) return schemas;
  // `undefined` in a result becomes `null`, and may stand beside `null` itself.
  if (others.some(({ type }) => Array.isArray(type) && type.includes("null"))) return others;
  const host =
    others.find((schema) => plainTypes(schema).length > 0) ??
    // Its other keywords are then about strings or numbers, and accept `null`.
    others.find((schema) => isScalarSchema(schema) && (others.length === 1 || !schema.description));
  if (!host) return [...others, { type: "null" }];
  const type = [...[host.type ?? []].flat(), "null" as const];
  const joined = { ...host, type, ...(host.enum && { enum: [...host.enum, null] }) };
  return others.map((schema) => (schema === host ? joined : schema));
}

/** Puts `joined` where the first match stood, and drops the others. */
function replaceAll(
  schemas: JsonSchema[],
  matches: (schema: JsonSchema) => boolean,
  joined: JsonSchema,
): JsonSchema[] {
  const first = schemas.findIndex((schema) => matches(schema));
  return schemas.flatMap((schema, index) => (index === first ? [joined] : matches(schema) ? [] : [schema]));
}

/**
 * Every problem of a value that a compiled validator has refused. The validators that are compiled from schemas of
 * the keywords known here only say yes or no, which keeps them small and fast; why not is found here, from the
 * schema itself, and only when somebody has to be told.
 *
 * The problems are those that ajv reports with `allErrors`, in its order and with its parameters.
 * @module
 */
import type { ValidationError } from "./application.js";
import { deepEqual } from "./equality.js";
import type { FormatChecks } from "./formats.js";
import { isObject } from "./jsonrpc.js";
import type { JsonSchema, JsonTypeName } from "./json-schema.js";
import { atPointer, hasFormat, type SchemaScope } from "./schema-match.js";
import { ucs2length, uniqueItems } from "./validation.js";

/** A value in its place, held against a schema in its place. */
interface Check {
  readonly schema: JsonSchema;
  readonly schemaPath: string;
  readonly value: unknown;
  readonly instancePath: string;
  /** Inside of an alternative, which may fail without anything being wrong. */
  readonly isAlternative: boolean;
}

interface Search extends SchemaScope {
  readonly found: ValidationError[];
  /** Beyond so many problems the rest is not looked for. */
  readonly most: number;
}

/**
 * @param schema May hold what the compiler's `isExplained` lets through; other keywords are passed over.
 * @param most Stops soon after so many problems.
 * @example
 * findProblems({ type: "object", required: ["city"] }, {}, formats)
 * // [{ instancePath: "", schemaPath: "#/required", keyword: "required", params: { missingProperty: "city" } }]
 */
export function findProblems(
  schema: JsonSchema,
  value: unknown,
  formats: FormatChecks,
  most = Infinity,
): ValidationError[] {
  const search: Search = { root: schema, formats, found: [], most };
  look({ schema, schemaPath: "#", value, instancePath: "", isAlternative: false }, search);
  return search.found;
}

/** The keywords that say something about one type of value; a wrong type is reported where they would be. */
const KEYWORDS_OF_TYPE: Partial<Record<JsonTypeName, readonly (keyof JsonSchema)[]>> = {
  number: ["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf", "format"],
  string: ["maxLength", "minLength", "pattern", "format"],
  array: ["maxItems", "minItems", "prefixItems", "items", "uniqueItems"],
  object: [
    "maxProperties",
    "minProperties",
    "required",
    "additionalProperties",
    "properties",
    "patternProperties",
  ],
};

function look(check: Check, search: Search): void {
  const { schema, value, isAlternative } = check;
  if (typeof schema !== "object" || (!isAlternative && search.found.length > search.most)) return;
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const [only] = types.length === 1 ? types : [];
  const isLate = only !== undefined && KEYWORDS_OF_TYPE[only]?.some((name) => schema[name] !== undefined);
  if (types.length > 0 && isLate !== true && !types.some((type) => isOfType(value, type))) {
    report(check, search, "type", { type: schema.type });
  }
  lookAtAny(check, search);
  for (const [type, looking] of BY_TYPE) {
    if (isOfType(value, type)) looking(check, search);
    else if (isLate === true && only === type) report(check, search, "type", { type: schema.type });
  }
}

const BY_TYPE: readonly (readonly [JsonTypeName, (check: Check, search: Search) => void])[] = [
  ["number", lookAtNumber],
  ["string", lookAtText],
  ["array", lookAtItems],
  ["object", lookAtMembers],
];

function isOfType(value: unknown, type: JsonTypeName): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function report(
  { schemaPath, instancePath }: Check,
  { found }: Search,
  keyword: string,
  params: Record<string, unknown>,
): void {
  found.push({ instancePath, schemaPath: `${schemaPath}/${keyword}`, keyword, params });
}

/** Keywords for values of every type. */
function lookAtAny(check: Check, search: Search): void {
  const { schema, value } = check;
  if (schema.$ref !== undefined) {
    const target = atPointer(search.root, schema.$ref);
    if (target !== undefined) look({ ...check, schema: target, schemaPath: schema.$ref }, search);
  }
  if (schema.const !== undefined && !deepEqual(schema.const, value)) {
    report(check, search, "const", { allowedValue: schema.const });
  }
  if (schema.enum !== undefined && !schema.enum.some((item) => deepEqual(item, value))) {
    report(check, search, "enum", { allowedValues: schema.enum });
  }
  if (schema.anyOf !== undefined) lookAtAlternatives(check, search, "anyOf", schema.anyOf);
  if (schema.oneOf !== undefined) lookAtAlternatives(check, search, "oneOf", schema.oneOf);
  schema.allOf?.forEach((part, index) => {
    look({ ...check, schema: part, schemaPath: `${check.schemaPath}/allOf/${index}` }, search);
  });
}

function lookAtAlternatives(
  check: Check,
  search: Search,
  keyword: "anyOf" | "oneOf",
  branches: readonly JsonSchema[],
): void {
  const { found } = search;
  const before = found.length;
  let passing: number | [number, number] | null = null;
  for (const [index, schema] of branches.entries()) {
    const start = found.length;
    const schemaPath = `${check.schemaPath}/${keyword}/${index}`;
    look({ ...check, schema, schemaPath, isAlternative: true }, search);
    if (found.length > start) continue;
    if (typeof passing === "number") {
      passing = [passing, index];
      break;
    }
    passing = index;
    if (keyword === "anyOf") break;
  }
  if (typeof passing === "number") found.length = before;
  else report(check, search, keyword, keyword === "anyOf" ? {} : { passingSchemas: passing });
}

function lookAtNumber(check: Check, search: Search): void {
  const { schema } = check;
  const value = check.value as number;
  const limit = (keyword: string, comparison: string, bound: number | undefined, fits: boolean): void => {
    if (bound !== undefined && !fits) report(check, search, keyword, { comparison, limit: bound });
  };
  const { maximum, minimum, exclusiveMaximum, exclusiveMinimum, multipleOf } = schema;
  limit("maximum", "<=", maximum, value <= Number(maximum));
  limit("minimum", ">=", minimum, value >= Number(minimum));
  limit("exclusiveMaximum", "<", exclusiveMaximum, value < Number(exclusiveMaximum));
  limit("exclusiveMinimum", ">", exclusiveMinimum, value > Number(exclusiveMinimum));
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    report(check, search, "multipleOf", { multipleOf });
  }
}

function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  // What compiled validators do, which for huge quotients is not `Number.isInteger`.
  return factor !== 0 && quotient === Number.parseInt(String(quotient), 10);
}

function lookAtText(check: Check, search: Search): void {
  const { maxLength, minLength, pattern, format } = check.schema;
  const text = check.value as string;
  if (maxLength !== undefined && ucs2length(text) > maxLength) {
    report(check, search, "maxLength", { limit: maxLength });
  }
  if (minLength !== undefined && ucs2length(text) < minLength) {
    report(check, search, "minLength", { limit: minLength });
  }
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text)) {
    report(check, search, "pattern", { pattern });
  }
  if (format !== undefined && !hasFormat(format, text, search.formats)) {
    report(check, search, "format", { format });
  }
}

function lookAtItems(check: Check, search: Search): void {
  const { maxItems, minItems, prefixItems = [], items } = check.schema;
  const list = check.value as unknown[];
  if (maxItems !== undefined && list.length > maxItems) {
    report(check, search, "maxItems", { limit: maxItems });
  }
  if (minItems !== undefined && list.length < minItems) {
    report(check, search, "minItems", { limit: minItems });
  }
  const lookAt = (index: number, schema: JsonSchema, at: string): void => {
    const schemaPath = `${check.schemaPath}/${at}`;
    const instancePath = `${check.instancePath}/${index}`;
    look({ ...check, schema, schemaPath, value: list[index], instancePath }, search);
  };
  for (const [index, schema] of prefixItems.entries()) {
    if (index < list.length) lookAt(index, schema, `prefixItems/${index}`);
  }
  if (items === false && list.length > prefixItems.length) {
    report(check, search, "items", { limit: prefixItems.length });
  }
  if (isObject(items)) {
    for (let index = prefixItems.length; index < list.length; index++) lookAt(index, items, "items");
  }
  if (check.schema.uniqueItems === true && !uniqueItems(list)) report(check, search, "uniqueItems", {});
}

function lookAtMembers(check: Check, search: Search): void {
  const { schema } = check;
  const { maxProperties, minProperties, required = [], additionalProperties } = schema;
  const declared = Object.entries(schema.properties ?? {}).filter(([name]) => name !== "__proto__");
  const patterns = Object.entries(schema.patternProperties ?? {});
  const value = withDefaults(check, declared, required);
  const names = Object.keys(value);
  const has = (name: string): boolean => Object.hasOwn(value, name) && value[name] !== undefined;

  if (maxProperties !== undefined && names.length > maxProperties) {
    report(check, search, "maxProperties", { limit: maxProperties });
  }
  if (minProperties !== undefined && names.length < minProperties) {
    report(check, search, "minProperties", { limit: minProperties });
  }
  for (const name of required) {
    if (!has(name)) report(check, search, "required", { missingProperty: name });
  }

  const lookAt = (name: string, member: JsonSchema, at: string): void => {
    const schemaPath = `${check.schemaPath}/${at}`;
    const instancePath = `${check.instancePath}/${escapePointer(name)}`;
    look({ ...check, schema: member, schemaPath, value: value[name], instancePath }, search);
  };
  if (additionalProperties === false || isObject(additionalProperties)) {
    const known = new Set(declared.map(([name]) => name));
    const tests = patterns.map(([pattern]) => new RegExp(pattern, "u"));
    for (const name of names) {
      if (known.has(name) || tests.some((test) => test.test(name))) continue;
      if (additionalProperties !== false) lookAt(name, additionalProperties, "additionalProperties");
      else report(check, search, "additionalProperties", { additionalProperty: name });
    }
  }
  for (const [name, member] of declared) {
    if (has(name)) lookAt(name, member, `properties/${escapeFragment(name)}`);
  }
  for (const [pattern, member] of patterns) {
    const test = new RegExp(pattern, "u");
    for (const name of names) {
      if (test.test(name)) lookAt(name, member, `patternProperties/${escapeFragment(pattern)}`);
    }
  }
}

/** Compiled validators fill in defaults, but do not get to all of them where a value is refused. */
function withDefaults(
  { value, isAlternative }: Check,
  declared: readonly [string, JsonSchema][],
  required: readonly string[],
): Record<string, unknown> {
  const given = value as Record<string, unknown>;
  if (isAlternative) return given;
  const missing = declared.filter(
    ([name, member]) => member.default !== undefined && given[name] === undefined && !required.includes(name),
  );
  if (missing.length === 0) return given;
  return { ...given, ...Object.fromEntries(missing.map(([name, member]) => [name, member.default])) };
}

function escapePointer(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

function escapeFragment(token: string): string {
  return encodeURIComponent(escapePointer(token));
}

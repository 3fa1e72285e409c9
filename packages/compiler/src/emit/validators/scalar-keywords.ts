/**
 * Keywords that stand in for the commonest schemas of all, those of texts, numbers and choices: most members of
 * most tools are nothing else. ajv takes a subschema of any kind through the same long way; these say what they
 * need to in one condition, which is quicker to compile and a fraction of the text.
 * @module
 */
import type { Ajv2020, KeywordCxt } from "ajv/dist/2020.js";
import { _, and, type Code, getProperty, stringify } from "ajv/dist/compile/codegen/index.js";
import { isOwnProperty, propertyInData, usePattern } from "ajv/dist/vocabularies/code.js";
import type { JsonSchema, JsonTypeName, JsonValue } from "@tenon/runtime/manifest";
import { mapSchema } from "../../json-schema/walk.js";

/** Members by name, each of a scalar type. */
const MEMBERS = "scalarMembers";
/** What each item of an array is, where that is a scalar type. */
const ITEMS = "scalarItems";
/** The only names that members may have. */
const NAMES = "memberNames";

interface ScalarMember {
  schema: JsonSchema;
  isRequired: boolean;
}

const SCALARS: ReadonlySet<JsonTypeName> = new Set(["string", "number", "integer", "boolean", "null"]);
const SCALAR_KEYWORDS = new Set(
  (
    "type enum minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format " +
    "default deprecated contentEncoding contentMediaType"
  ).split(" "),
);

/** Beyond so many choices, ajv has a way of its own. */
const MOST_CHOICES = 100;

/** Beyond so many names, looking one up is quicker than comparing it with each. */
const MOST_COMPARED = 8;

/** The same schema with scalars under keywords of their own; only an ajv that has been given these understands it. */
export function withScalarKeywords(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => withNames(withMembers(withItems(each))));
}

function isScalar(schema: JsonSchema): boolean {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  return (
    types.length > 0 &&
    types.every((type) => SCALARS.has(type)) &&
    Object.keys(schema).every((keyword) => SCALAR_KEYWORDS.has(keyword) || keyword.startsWith("x-")) &&
    (schema.enum === undefined || (schema.enum.length < MOST_CHOICES && schema.enum.every(isScalarValue)))
  );
}

function isScalarValue(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function withItems(schema: JsonSchema): JsonSchema {
  const { items, ...rest } = schema;
  if (typeof items !== "object" || rest.prefixItems !== undefined || !isScalar(items)) return schema;
  return { ...rest, [ITEMS]: items };
}

function withMembers(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema;
  const scalars = Object.entries(properties).filter(
    ([name, member]) => name !== "__proto__" && isScalar(member),
  );
  if (scalars.length === 0) return schema;
  const members = scalars.map(([name, member]): [string, ScalarMember] => [
    name,
    { schema: member, isRequired: required.includes(name) },
  ]);
  // The names stay, for what is said about additional members, and the defaults, for ajv to fill them in.
  const left = scalars.map(([name, { default: given }]): [string, JsonSchema] => [
    name,
    given === undefined ? {} : { default: given },
  ]);
  return {
    ...schema,
    properties: { ...properties, ...Object.fromEntries(left) },
    required: required.filter((name) => !scalars.some(([scalar]) => scalar === name)),
    [MEMBERS]: Object.fromEntries(members),
  };
}

function withNames(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = schema;
  if (additionalProperties !== false || rest.patternProperties !== undefined) return schema;
  return { ...rest, [NAMES]: Object.keys(rest.properties ?? {}).filter((name) => name !== "__proto__") };
}

/** Teaches an ajv the keywords of `withScalarKeywords`. */
export function addScalarKeywords(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: NAMES,
    type: "object",
    schemaType: "array",
    before: "properties",
    code: checkNames,
  });
  ajv.addKeyword({
    keyword: MEMBERS,
    type: "object",
    schemaType: "object",
    before: "properties",
    code: checkMembers,
  });
  ajv.addKeyword({ keyword: ITEMS, type: "array", schemaType: "object", before: "items", code: checkItems });
}

function checkNames(context: KeywordCxt): void {
  const { gen, data } = context;
  const names = context.schema as string[];
  if (names.length === 0) {
    context.fail(_`Object.keys(${data}).length > 0`);
    return;
  }
  const isKnown = (): Code => {
    if (names.length <= MOST_COMPARED) return eitherOf(names.map((name) => _`name === ${name}`));
    return _`${gen.scopeValue("obj", { ref: names, code: _`new Set(${stringify(names)})` })}.has(name)`;
  };
  context.fail(_`!Object.keys(${data}).every((name) => ${isKnown()})`);
}

function checkMembers(context: KeywordCxt): void {
  const { gen, data } = context;
  const wrong = Object.entries(context.schema as Record<string, ScalarMember>).map(
    ([name, { schema, isRequired }]) => {
      const inPlace = _`${data}${getProperty(name)}`;
      const value = mentions(schema) > 2 ? gen.const("value", inPlace) : inPlace;
      const isWrongly = isWrong(context, value, schema);
      return isRequired
        ? _`!${isOwnProperty(gen, data, name)} || ${isWrongly}`
        : _`${propertyInData(gen, data, name, true)} && (${isWrongly})`;
    },
  );
  context.fail(eitherOf(wrong));
}

function checkItems(context: KeywordCxt): void {
  const { gen, data } = context;
  const item = gen.name("item");
  const fits = gen.let("fits", true);
  gen.for(_`const ${item} of ${data}`, () => {
    gen.if(isWrong(context, item, context.schema as JsonSchema), () => gen.assign(fits, false).break());
  });
  context.pass(fits);
}

/** How often the condition of a schema names its value. */
function mentions({ type, enum: choices = [], default: _default, ...rest }: JsonSchema): number {
  return [type].flat().length + choices.length + Object.keys(rest).length;
}

/** The condition under which a value is not of a scalar schema. */
function isWrong(context: KeywordCxt, value: Code, schema: JsonSchema): Code {
  const types = [schema.type ?? []].flat();
  const { enum: choices } = schema;
  const [only] = types.length === 1 ? types : [];
  const conditions: Code[] = [];
  if (choices?.every((choice) => types.some((type) => isOfType(choice, type))) !== true) {
    conditions.push(and(...types.map((type) => isNot(type, value))));
  }
  if (choices) conditions.push(and(...choices.map((choice) => _`${value} !== ${choice as string}`)));
  const ofText = textConditions(context, value, schema);
  if (ofText.length > 0) {
    const wrong = eitherOf(ofText);
    conditions.push(only === "string" ? wrong : _`typeof ${value} === "string" && (${wrong})`);
  }
  const ofNumber = numberConditions(value, schema);
  if (ofNumber.length > 0) {
    const wrong = eitherOf(ofNumber);
    const isNumber = only === "number" || only === "integer";
    conditions.push(isNumber ? wrong : _`typeof ${value} === "number" && (${wrong})`);
  }
  return eitherOf(conditions);
}

function eitherOf(conditions: readonly Code[]): Code {
  return conditions.reduce((all, each) => _`${all} || ${each}`);
}

function isNot(type: JsonTypeName, value: Code): Code {
  switch (type) {
    case "null":
      return _`${value} !== null`;
    case "number":
      return _`!Number.isFinite(${value})`;
    case "integer":
      return _`!Number.isInteger(${value})`;
    default:
      return _`typeof ${value} !== ${type}`;
  }
}

function isOfType(value: JsonValue, type: JsonTypeName): boolean {
  if (value === null) return type === "null";
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function textConditions(context: KeywordCxt, text: Code, schema: JsonSchema): Code[] {
  const { gen, it } = context;
  const { minLength, maxLength, pattern, format } = schema;
  const conditions: Code[] = [];
  const length = (): Code =>
    _`${gen.scopeValue("func", { ref: "ucs2length", code: _`ucs2length` })}(${text})`;
  // However a text counts its characters, it is empty or not.
  if (minLength === 1) conditions.push(_`${text} === ""`);
  else if (minLength !== undefined) conditions.push(_`${length()} < ${minLength}`);
  if (maxLength !== undefined) conditions.push(_`${length()} > ${maxLength}`);
  if (pattern !== undefined) conditions.push(_`!${usePattern(context, pattern)}.test(${text})`);
  const known = format === undefined ? undefined : it.self.formats[format];
  if (format !== undefined && known !== undefined) {
    const code = _`${it.opts.code.formats}${getProperty(format)}`;
    const check = gen.scopeValue("formats", { key: format, ref: known, code });
    conditions.push(_`!${check}.validate(${text})`);
  }
  return conditions;
}

function numberConditions(value: Code, schema: JsonSchema): Code[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return [
    ...(maximum === undefined ? [] : [_`${value} > ${maximum}`]),
    ...(minimum === undefined ? [] : [_`${value} < ${minimum}`]),
    ...(exclusiveMaximum === undefined ? [] : [_`${value} >= ${exclusiveMaximum}`]),
    ...(exclusiveMinimum === undefined ? [] : [_`${value} <= ${exclusiveMinimum}`]),
  ];
}

/**
 * The schemas of forms that authors write themselves.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 * @module
 */
import { formatOptionValue } from "../../data/options/option-rule.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";

const FORMATS = ["date", "date-time", "email", "uri"];

/** The checks of the keywords that describe the values of each type of field. */
const FIELDS: Readonly<Record<string, (field: JsonSchema, at: string) => void>> = {
  string: (field, at) => {
    expect(field, "format", at, `one of ${FORMATS.join(", ")}`, (value) => FORMATS.includes(value as string));
    for (const limit of ["minLength", "maxLength"])
      expect(field, limit, at, "a whole number", Number.isInteger);
    checkChoices(field, at, "oneOf");
    expect(field, "default", at, "a string", isText);
  },
  number: checkNumber,
  integer: checkNumber,
  boolean: (field, at) =>
    expect(field, "default", at, "true or false", (value) => typeof value === "boolean"),
  array: (field, at) => {
    const { items } = field;
    if (!isObject(items)) fail(`${at}.items`, "an object with the choices", items);
    const choices = items as JsonSchema;
    if (choices.enum === undefined && choices.anyOf === undefined)
      fail(`${at}.items`, "an object with `enum` or `anyOf`, the choices", items);
    checkChoices(choices, `${at}.items`, "anyOf");
    expect(field, "default", at, "a list of strings", isTextList);
  },
};

/**
 * Checks that a schema describes a form: an object with fields that are text, numbers, switches, or choices.
 *
 * @throws TypeError that names the part that no client can show
 */
export function checkFormSchema(schema: JsonSchema): void {
  if (!isObject(schema)) fail("schema", "an object", schema);
  const { type, properties } = schema;
  if (type !== "object") fail("schema.type", '"object"', type);
  if (!isObject(properties)) fail("schema.properties", "an object with the fields", properties);
  expect(schema, "required", "schema", "a list of the names of fields", (names) => {
    return isTextList(names) && names.every((name) => Object.hasOwn(properties as object, name));
  });
  for (const [name, field] of Object.entries(properties as Record<string, unknown>))
    checkField(field, `schema.properties.${name}`);
}

function checkField(field: unknown, at: string): void {
  if (!isObject(field)) fail(at, "an object", field);
  const { type } = field;
  const check = typeof type === "string" && Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (check === undefined) fail(`${at}.type`, `one of ${Object.keys(FIELDS).join(", ")}`, type);
  for (const text of ["title", "description"]) expect(field, text, at, "a string", isText);
  check?.(field as JsonSchema, at);
}

function checkNumber(field: JsonSchema, at: string): void {
  for (const name of ["minimum", "maximum", "default"])
    expect(field, name, at, "a number", (value) => typeof value === "number");
}

/** Checks choices: a list of values, or of values with their titles. */
function checkChoices(schema: JsonSchema, at: string, titled: "oneOf" | "anyOf"): void {
  expect(schema, "enum", at, "a list of at least one string", (choices) => {
    return isTextList(choices) && choices.length > 0;
  });
  expect(
    schema,
    titled,
    at,
    "a list of at least one choice, each with a `const` and a `title`",
    (choices) => {
      const isChoice = (each: unknown): boolean => isObject(each) && isText(each.const) && isText(each.title);
      return Array.isArray(choices) && choices.length > 0 && choices.every(isChoice);
    },
  );
}

/** Checks a keyword, if the schema has it. */
function expect(
  schema: JsonSchema,
  keyword: string,
  at: string,
  expected: string,
  accepts: (value: unknown) => boolean,
): void {
  const value = schema[keyword];
  if (value !== undefined && !accepts(value)) fail(`${at}.${keyword}`, expected, value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function fail(path: string, expected: string, value: unknown): never {
  throw new TypeError(
    `The form of elicit() cannot be shown: ${path} must be ${expected} (got ${formatOptionValue(value)}).`,
  );
}

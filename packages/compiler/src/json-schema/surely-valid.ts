import type { JsonSchema } from "@tenon/runtime/manifest";

type Test = (value: unknown, root: JsonSchema) => boolean;

const TYPES: ReadonlySet<unknown> = new Set([
  "null",
  "boolean",
  "integer",
  "number",
  "string",
  "array",
  "object",
]);

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const number: Test = (value) => typeof value === "number" && Number.isFinite(value);
const count: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const anything: Test = (value) => value !== undefined;
const schema: Test = (value, root) => flag(value, root) || isSurelySchema(value, root);
const list: Test = (value, root) =>
  Array.isArray(value) && value.length > 0 && value.every((each) => schema(each, root));
const map: Test = (value, root) =>
  isPlainObject(value) && Object.values(value).every((each) => schema(each, root));

/** What the keywords that deriving writes may hold, by the meta-schema. */
const KEYWORDS: Record<string, Test> = {
  $ref: (value, { $defs }) =>
    typeof value === "string" &&
    value.startsWith("#/$defs/") &&
    $defs !== undefined &&
    Object.hasOwn($defs, value.slice("#/$defs/".length)),
  $defs: map,
  title: text,
  description: text,
  default: anything,
  examples: (value) => Array.isArray(value),
  deprecated: flag,
  writeOnly: flag,
  nullable: flag,
  type: (value) => TYPES.has(value) || (isSet(value) && value.every((each) => TYPES.has(each))),
  enum: isSet,
  minLength: count,
  maxLength: count,
  pattern: isPattern,
  format: text,
  contentEncoding: text,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
  properties: map,
  patternProperties: (value, root) => map(value, root) && Object.keys(value as object).every(isPattern),
  additionalProperties: schema,
  required: (value) => Array.isArray(value) && isUnique(value) && value.every((each) => text(each, {})),
  items: schema,
  prefixItems: list,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  contains: schema,
  minContains: count,
  maxContains: count,
  anyOf: list,
  not: schema,
  "x-mcp-header": text,
};

/**
 * True for schemas that are valid beyond doubt, which all are that the compiler derives: it takes a microsecond for
 * each, where loading ajv and the meta-schema takes 110 ms. False for those that ajv has to look at.
 */
export function isSurelyValid(root: JsonSchema): boolean {
  return isSurelySchema(root, root);
}

function isSurelySchema(value: unknown, root: JsonSchema): boolean {
  if (!isPlainObject(value)) return false;
  return Object.entries(value).every(
    ([name, held]) => Object.hasOwn(KEYWORDS, name) && KEYWORDS[name]?.(held, root) === true,
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Some scalars, none of them twice. */
function isSet(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && isUnique(value);
}

function isUnique(values: readonly unknown[]): boolean {
  return (
    values.every((each) => typeof each !== "object" || each === null) &&
    new Set(values).size === values.length
  );
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return Boolean(new RegExp(value, "u"));
  } catch {
    return false;
  }
}

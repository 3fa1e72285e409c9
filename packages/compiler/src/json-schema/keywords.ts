import type { JsonSchema, JsonValue, Profile } from "@tenon/runtime/manifest";

/**
 * - `count`: a whole number that is not negative
 * - `names`, `choices`: a list in which nothing is named twice; of choices there is at least one
 */
export type KeywordData =
  | "text"
  | "pattern"
  | "flag"
  | "number"
  | "positive"
  | "count"
  | "type"
  | "names"
  | "choices"
  | "list"
  | "anything"
  | "definition";

/** What the compiler knows of a keyword. */
export interface Keyword {
  /**
   * - `core`: says what a schema is, or where another is
   * - `applicator`: holds schemas for a value, or for parts of it
   * - `assertion`: says itself which values fit
   * - `annotation`: says something of values, and nothing of which fit
   */
  role: "core" | "applicator" | "assertion" | "annotation";
  /** The schemas that it holds: one, a list, or one for each name. Absent where it holds plain data. */
  holds?: "schema" | "list" | "map";
  /** The plain data that it holds, by the meta-schema. Absent where it holds schemas, or nobody derives it. */
  data?: KeywordData;
  /** The types of values that it says something of. Absent where it is about all. */
  of?: readonly ("string" | "number" | "array" | "object")[];
  /** The profiles whose clients take it; the profile `portable` has whatever is derived. */
  takenBy?: readonly Exclude<Profile, "portable">[];
  /** What it says, for models that cannot be given it; undefined where there is nothing to say. */
  inWords?(value: never): string | undefined;
}

const BOTH = ["openai-strict", "gemini"] as const;
const STRICT = ["openai-strict"] as const;
const GEMINI = ["gemini"] as const;

const TEXT = ["string"] as const;
const NUMBER = ["number"] as const;
const ARRAY = ["array"] as const;
const OBJECT = ["object"] as const;

/**
 * The keywords of JSON Schema 2020-12, with those of other dialects that clients know. What a client cannot be given
 * is put into words in this order.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation
 */
export const KEYWORDS = {
  $schema: { role: "core" },
  $id: { role: "core" },
  $vocabulary: { role: "core" },
  $anchor: { role: "core" },
  $dynamicAnchor: { role: "core" },
  $ref: { role: "core", data: "definition", takenBy: STRICT },
  $dynamicRef: { role: "core" },
  $defs: { role: "core", holds: "map", takenBy: STRICT },
  definitions: { role: "core", holds: "map", takenBy: STRICT },

  title: { role: "annotation", data: "text", takenBy: BOTH },
  description: { role: "annotation", data: "text", takenBy: BOTH },
  $comment: { role: "annotation" },
  default: {
    role: "annotation",
    data: "anything",
    takenBy: GEMINI,
    inWords: (value: JsonValue) => `Default: ${JSON.stringify(value)}.`,
  },
  example: { role: "annotation", takenBy: GEMINI },
  examples: {
    role: "annotation",
    data: "list",
    inWords: (values: JsonValue[]) => `For example: ${listed(values)}.`,
  },
  deprecated: { role: "annotation", data: "flag", inWords: () => "Deprecated." },
  readOnly: { role: "annotation" },
  // What is sent and never shown again is for the server to know.
  writeOnly: { role: "annotation", data: "flag", inWords: () => undefined },

  type: { role: "assertion", data: "type", takenBy: BOTH },
  nullable: { role: "assertion", data: "flag", takenBy: GEMINI },
  enum: {
    role: "assertion",
    data: "choices",
    takenBy: BOTH,
    inWords: (values: JsonValue[]) => `${values.length === 1 ? "Must be" : "One of"} ${listed(values)}.`,
  },
  const: { role: "assertion", data: "anything", takenBy: STRICT },

  minLength: {
    role: "assertion",
    data: "count",
    of: TEXT,
    takenBy: GEMINI,
    inWords: (value: number) => `At least ${count(value, "character")}.`,
  },
  maxLength: {
    role: "assertion",
    data: "count",
    of: TEXT,
    takenBy: GEMINI,
    inWords: (value: number) => `At most ${count(value, "character")}.`,
  },
  pattern: {
    role: "assertion",
    data: "pattern",
    of: TEXT,
    takenBy: BOTH,
    inWords: (value: string) => `Must match the regular expression ${value}`,
  },
  format: {
    role: "assertion",
    data: "text",
    of: ["string", "number"],
    takenBy: BOTH,
    inWords: (value: string) => `Format: ${value}.`,
  },

  minimum: {
    role: "assertion",
    data: "number",
    of: NUMBER,
    takenBy: BOTH,
    inWords: (value: number) => `At least ${value}.`,
  },
  maximum: {
    role: "assertion",
    data: "number",
    of: NUMBER,
    takenBy: BOTH,
    inWords: (value: number) => `At most ${value}.`,
  },
  multipleOf: {
    role: "assertion",
    data: "positive",
    of: NUMBER,
    takenBy: STRICT,
    inWords: (value: number) => `A multiple of ${value}.`,
  },
  exclusiveMinimum: {
    role: "assertion",
    data: "number",
    of: NUMBER,
    takenBy: STRICT,
    inWords: (value: number) => `More than ${value}.`,
  },
  exclusiveMaximum: {
    role: "assertion",
    data: "number",
    of: NUMBER,
    takenBy: STRICT,
    inWords: (value: number) => `Less than ${value}.`,
  },

  items: { role: "applicator", holds: "schema", of: ARRAY, takenBy: BOTH },
  prefixItems: { role: "applicator", holds: "list", of: ARRAY },
  unevaluatedItems: { role: "applicator", holds: "schema", of: ARRAY },
  minItems: {
    role: "assertion",
    data: "count",
    of: ARRAY,
    takenBy: BOTH,
    inWords: (value: number) => `At least ${count(value, "item")}.`,
  },
  maxItems: {
    role: "assertion",
    data: "count",
    of: ARRAY,
    takenBy: BOTH,
    inWords: (value: number) => `At most ${count(value, "item")}.`,
  },
  uniqueItems: { role: "assertion", data: "flag", of: ARRAY, inWords: () => "No item twice." },
  contains: {
    role: "applicator",
    holds: "schema",
    of: ARRAY,
    inWords: (value: JsonSchema) => `Some items fit this JSON Schema: ${JSON.stringify(value)}.`,
  },
  minContains: {
    role: "assertion",
    data: "count",
    of: ARRAY,
    inWords: (value: number) => `At least ${count(value, "such item")}.`,
  },
  maxContains: {
    role: "assertion",
    data: "count",
    of: ARRAY,
    inWords: (value: number) => `At most ${count(value, "such item")}.`,
  },

  properties: { role: "applicator", holds: "map", of: OBJECT, takenBy: BOTH },
  patternProperties: { role: "applicator", holds: "map", of: OBJECT },
  additionalProperties: { role: "applicator", holds: "schema", of: OBJECT, takenBy: STRICT },
  unevaluatedProperties: { role: "applicator", holds: "schema", of: OBJECT },
  propertyNames: { role: "applicator", holds: "schema", of: OBJECT },
  dependentSchemas: { role: "applicator", holds: "map", of: OBJECT },
  required: { role: "assertion", data: "names", of: OBJECT, takenBy: BOTH },
  dependentRequired: { role: "assertion", of: OBJECT },
  minProperties: {
    role: "assertion",
    data: "count",
    of: OBJECT,
    takenBy: GEMINI,
    inWords: (value: number) => `At least ${count(value, "member")}.`,
  },
  maxProperties: {
    role: "assertion",
    data: "count",
    of: OBJECT,
    takenBy: GEMINI,
    inWords: (value: number) => `At most ${count(value, "member")}.`,
  },

  contentEncoding: {
    role: "annotation",
    data: "text",
    of: TEXT,
    inWords: (value: string) => `Encoding: ${value}.`,
  },
  contentMediaType: {
    role: "annotation",
    data: "text",
    of: TEXT,
    inWords: (value: string) => `Content type: ${value}.`,
  },
  contentSchema: { role: "annotation", holds: "schema", of: TEXT },

  anyOf: { role: "applicator", holds: "list", takenBy: BOTH },
  oneOf: { role: "applicator", holds: "list" },
  allOf: { role: "applicator", holds: "list" },
  not: { role: "applicator", holds: "schema" },
  if: { role: "applicator", holds: "schema" },
  // oxlint-disable-next-line no-thenable -- a keyword; the table is never awaited
  then: { role: "applicator", holds: "schema" },
  else: { role: "applicator", holds: "schema" },

  "x-mcp-header": { role: "annotation", data: "text", takenBy: BOTH },
} satisfies Record<DeclaredKeyword | (string & {}), Keyword>;

export type KeywordName = keyof typeof KEYWORDS;

/** The keywords that our own type of schemas knows: one without a row does not compile. */
type DeclaredKeyword = keyof {
  [K in keyof JsonSchema as string extends K ? never : K]: JsonSchema[K];
};

/** What is known of a keyword; undefined for those of unknown vocabularies. */
export function keyword(name: string): Keyword | undefined {
  return Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name as KeywordName] : undefined;
}

/** The names of the keywords with something in common, in the order of the table. */
export function keywordsWhere(matches: (each: Keyword) => boolean): KeywordName[] {
  return (Object.keys(KEYWORDS) as KeywordName[]).filter((name) => matches(KEYWORDS[name]));
}

/** True for what has no say in which values fit: annotations, and whatever begins with `x-`. */
export function isAnnotation(name: string): boolean {
  return keyword(name)?.role === "annotation" || name.startsWith("x-");
}

function listed(values: readonly JsonValue[]): string {
  return values.map((each) => JSON.stringify(each)).join(", ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

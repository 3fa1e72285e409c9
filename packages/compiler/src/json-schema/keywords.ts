import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import type { Keyword } from "./keyword.js";

export type { Keyword } from "./keyword.js";

const BOTH = ["openai-strict", "gemini"] as const;
const STRICT = ["openai-strict"] as const;
const GEMINI = ["gemini"] as const;

const RULE = { role: "assertion", isLimit: true } as const;
const LOWER = { ...RULE, bound: "lower" } as const;
const UPPER = { ...RULE, bound: "upper" } as const;

const TEXT = ["string"] as const;
const NUMBER = ["number"] as const;
const ARRAY = ["array"] as const;
const OBJECT = ["object"] as const;

/**
 * The keywords of JSON Schema 2020-12, and those of other dialects that clients know. Keywords that a client does not
 * accept become sentences in this order.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation
 */
export const KEYWORDS = {
  $schema: { role: "core" },
  $id: { role: "core" },
  $vocabulary: { role: "core" },
  $anchor: { role: "core" },
  $dynamicAnchor: { role: "core" },
  $ref: { role: "core", data: "definition", acceptedBy: STRICT },
  $dynamicRef: { role: "core" },
  $defs: { role: "core", holds: "map", acceptedBy: STRICT },
  definitions: { role: "core", holds: "map", acceptedBy: STRICT },

  title: { role: "annotation", data: "text", acceptedBy: BOTH },
  description: { role: "annotation", data: "text", acceptedBy: BOTH },
  $comment: { role: "annotation" },
  default: {
    role: "annotation",
    data: "anything",
    acceptedBy: GEMINI,
    toSentence: (value: JsonValue) => `Default: ${JSON.stringify(value)}.`,
  },
  example: { role: "annotation", acceptedBy: GEMINI },
  examples: {
    role: "annotation",
    data: "list",
    toSentence: (values: JsonValue[]) => `For example: ${joinValues(values)}.`,
  },
  deprecated: { role: "annotation", data: "flag", toSentence: () => "Deprecated." },
  readOnly: { role: "annotation" },
  // Only the server needs to know which values are never shown again.
  writeOnly: { role: "annotation", data: "flag", toSentence: () => undefined },

  type: { role: "assertion", data: "type", acceptedBy: BOTH },
  nullable: { role: "assertion", data: "flag", acceptedBy: GEMINI },
  enum: {
    role: "assertion",
    data: "choices",
    acceptedBy: BOTH,
    toSentence: (values: JsonValue[]) =>
      `${values.length === 1 ? "Must be" : "One of"} ${joinValues(values)}.`,
  },
  const: { role: "assertion", data: "anything", acceptedBy: STRICT },

  minLength: {
    ...LOWER,
    data: "count",
    of: TEXT,
    acceptedBy: GEMINI,
    toSentence: (value: number) => `At least ${formatCount(value, "character")}.`,
  },
  maxLength: {
    ...UPPER,
    data: "count",
    of: TEXT,
    acceptedBy: GEMINI,
    toSentence: (value: number) => `At most ${formatCount(value, "character")}.`,
  },
  pattern: {
    ...RULE,
    data: "pattern",
    of: TEXT,
    acceptedBy: BOTH,
    toSentence: (value: string) => `Must match the regular expression ${value}`,
  },
  format: {
    ...RULE,
    data: "text",
    of: ["string", "number"],
    acceptedBy: BOTH,
    toSentence: (value: string) => `Format: ${value}.`,
  },

  minimum: {
    ...LOWER,
    data: "number",
    of: NUMBER,
    acceptedBy: BOTH,
    toSentence: (value: number) => `At least ${value}.`,
    toSymbol: (value: number) => `≥ ${value}`,
  },
  maximum: {
    ...UPPER,
    data: "number",
    of: NUMBER,
    acceptedBy: BOTH,
    toSentence: (value: number) => `At most ${value}.`,
    toSymbol: (value: number) => `≤ ${value}`,
  },
  multipleOf: {
    ...RULE,
    data: "positive",
    of: NUMBER,
    acceptedBy: STRICT,
    toSentence: (value: number) => `A multiple of ${value}.`,
    toSymbol: (value: number) => `step ${value}`,
  },
  exclusiveMinimum: {
    ...LOWER,
    data: "number",
    of: NUMBER,
    acceptedBy: STRICT,
    toSentence: (value: number) => `More than ${value}.`,
    toSymbol: (value: number) => `> ${value}`,
  },
  exclusiveMaximum: {
    ...UPPER,
    data: "number",
    of: NUMBER,
    acceptedBy: STRICT,
    toSentence: (value: number) => `Less than ${value}.`,
    toSymbol: (value: number) => `< ${value}`,
  },

  items: { role: "applicator", holds: "schema", of: ARRAY, acceptedBy: BOTH },
  prefixItems: { role: "applicator", holds: "list", of: ARRAY },
  unevaluatedItems: { role: "applicator", holds: "schema", of: ARRAY },
  minItems: {
    ...LOWER,
    data: "count",
    of: ARRAY,
    acceptedBy: BOTH,
    toSentence: (value: number) => `At least ${formatCount(value, "item")}.`,
  },
  maxItems: {
    ...UPPER,
    data: "count",
    of: ARRAY,
    acceptedBy: BOTH,
    toSentence: (value: number) => `At most ${formatCount(value, "item")}.`,
  },
  uniqueItems: { ...RULE, data: "flag", of: ARRAY, toSentence: () => "Items must be unique." },
  contains: {
    role: "applicator",
    holds: "schema",
    of: ARRAY,
    toSentence: (value: JsonSchema) => `Some items fit this JSON Schema: ${JSON.stringify(value)}.`,
  },
  minContains: {
    role: "assertion",
    data: "count",
    of: ARRAY,
    toSentence: (value: number) => `At least ${formatCount(value, "such item")}.`,
  },
  maxContains: {
    role: "assertion",
    data: "count",
    of: ARRAY,
    toSentence: (value: number) => `At most ${formatCount(value, "such item")}.`,
  },

  properties: { role: "applicator", holds: "map", of: OBJECT, acceptedBy: BOTH },
  patternProperties: { role: "applicator", holds: "map", of: OBJECT },
  additionalProperties: { role: "applicator", holds: "schema", of: OBJECT, acceptedBy: STRICT },
  unevaluatedProperties: { role: "applicator", holds: "schema", of: OBJECT },
  propertyNames: { role: "applicator", holds: "schema", of: OBJECT },
  dependentSchemas: { role: "applicator", holds: "map", of: OBJECT },
  required: { role: "assertion", data: "names", of: OBJECT, acceptedBy: BOTH },
  dependentRequired: { role: "assertion", of: OBJECT },
  minProperties: {
    role: "assertion",
    bound: "lower",
    data: "count",
    of: OBJECT,
    acceptedBy: GEMINI,
    toSentence: (value: number) => `At least ${formatCount(value, "member")}.`,
  },
  maxProperties: {
    role: "assertion",
    bound: "upper",
    data: "count",
    of: OBJECT,
    acceptedBy: GEMINI,
    toSentence: (value: number) => `At most ${formatCount(value, "member")}.`,
  },

  contentEncoding: {
    role: "annotation",
    data: "text",
    of: TEXT,
    toSentence: (value: string) => `Encoding: ${value}.`,
  },
  contentMediaType: {
    role: "annotation",
    data: "text",
    of: TEXT,
    toSentence: (value: string) => `Content type: ${value}.`,
  },
  contentSchema: { role: "annotation", holds: "schema", of: TEXT },

  anyOf: { role: "applicator", holds: "list", acceptedBy: BOTH },
  oneOf: { role: "applicator", holds: "list" },
  allOf: { role: "applicator", holds: "list" },
  not: { role: "applicator", holds: "schema" },
  if: { role: "applicator", holds: "schema" },
  // oxlint-disable-next-line no-thenable -- a keyword; the table is never awaited
  then: { role: "applicator", holds: "schema" },
  else: { role: "applicator", holds: "schema" },

  // Accepted types and size of a file, for clients with a file picker. The description contains them, too.
  "x-mcp-file": { role: "annotation", data: "anything", toSentence: () => undefined },
  "x-mcp-header": { role: "annotation", data: "text", acceptedBy: BOTH },
} satisfies Record<DeclaredKeyword | (string & {}), Keyword>;

export type KeywordName = keyof typeof KEYWORDS;

/** The keywords of the runtime's schema type. A keyword without a row is a compile error. */
type DeclaredKeyword = keyof {
  [K in keyof JsonSchema as string extends K ? never : K]: JsonSchema[K];
};

/** A keyword that limits values, and the JSDoc tag that sets it. */
export type LimitName = {
  [Name in KeywordName]: (typeof KEYWORDS)[Name] extends { isLimit: true } ? Name : never;
}[KeywordName];

/** A keyword that limits numbers. */
export type NumberLimitName = {
  [Name in LimitName]: (typeof KEYWORDS)[Name]["of"] extends typeof NUMBER ? Name : never;
}[LimitName];

/** The keywords that limit numbers, text, and arrays, in this order, each with bounds before other rules. */
export const LIMITS: readonly LimitName[] = [NUMBER, TEXT, ARRAY].flatMap(([type]) => {
  const ofType = filterKeywords(({ isLimit, of }) => isLimit === true && of?.[0] === type) as LimitName[];
  const isBound = (name: LimitName): boolean => findKeyword(name)?.bound !== undefined;
  return [...ofType.filter(isBound), ...ofType.filter((name) => !isBound(name))];
});

/** Finds a keyword by its name. Undefined for keywords of unknown vocabularies. */
export function findKeyword(name: string): Keyword | undefined {
  return Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name as KeywordName] : undefined;
}

/** Returns the names of the keywords that satisfy a condition, in the order of the table. */
export function filterKeywords(matches: (each: Keyword) => boolean): KeywordName[] {
  return (Object.keys(KEYWORDS) as KeywordName[]).filter((name) => matches(KEYWORDS[name]));
}

/** Returns whether a keyword does not affect which values are valid: an annotation, or a name that begins with `x-`. */
export function isAnnotation(name: string): boolean {
  return findKeyword(name)?.role === "annotation" || name.startsWith("x-");
}

function joinValues(values: readonly JsonValue[]): string {
  return values.map((each) => JSON.stringify(each)).join(", ");
}

function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

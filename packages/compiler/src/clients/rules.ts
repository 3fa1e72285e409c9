import type { JsonSchema, Profile } from "@tenon/runtime/manifest";
import { GEMINI_FORMATS, STRICT_FORMATS } from "../json-schema/formats.js";
import { findKeyword, KEYWORDS, type KeywordName, LIMITS } from "../json-schema/keywords.js";
import { listsType, type LocatedSchema } from "./located-schemas.js";

/** A property of a schema that some clients do not accept. */
export interface ClientRule {
  /** Returns the problem as the end of a sentence that begins with the path. Undefined if there is none. */
  find(located: LocatedSchema): string | undefined;
}

const COMPOSITIONS: readonly KeywordName[] = ["anyOf", "oneOf", "allOf"];

/** Keywords that other rules report, or that Gemini's clients drop without loss. */
const REPORTED_ELSEWHERE: ReadonlySet<string> = new Set<KeywordName>([
  "$schema",
  "$id",
  "$ref",
  "$defs",
  "definitions",
  "const",
  "allOf",
  "oneOf",
  "patternProperties",
  "propertyNames",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "additionalProperties",
]);

/** The limits that are numbers. */
const NUMERIC_LIMITS = LIMITS.filter((name) => ["number", "positive", "count"].includes(KEYWORDS[name].data));

/** Every rule by its name. The names are part of `tenon check --json`, and permanent. */
export const RULES = {
  "root-composition": atRoot((schema) => describeKeywords(schema, COMPOSITIONS, "at the root")),
  "root-enum-or-not": atRoot((schema) => describeKeywords(schema, ["enum", "not"], "at the root")),
  "root-not-object": atRoot((schema) =>
    schema.type === "object" ? undefined : "is not an object at the root",
  ),
  "dialect-not-2020": atRoot(({ $schema }) =>
    $schema === undefined || $schema.includes("2020-12") ? undefined : `names the dialect ${$schema}`,
  ),
  "dialect-named": atRoot(({ $schema }) => ($schema === undefined ? undefined : "has `$schema`")),
  "tuple-closed-by-items": everywhere(({ prefixItems, items }) =>
    prefixItems !== undefined && items === false
      ? "has `items: false` next to `prefixItems`, which draft-07 readers interpret as a list without items"
      : undefined,
  ),
  "items-list": everywhere(({ items }) =>
    Array.isArray(items) ? "has a list of `items`, as in drafts before 2020-12" : undefined,
  ),
  "property-name": everywhere((schema) => {
    const names = Object.keys(schema.properties ?? {}).filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
    return names.length > 0
      ? `has the property ${names.map((name) => JSON.stringify(name)).join(", ")}`
      : undefined;
  }),
  reference: everywhere(({ $ref }) => ($ref === undefined ? undefined : "is a reference (`$ref`)")),
  "array-without-items": everywhere((schema) =>
    listsType(schema, "array") && schema.items === undefined && schema.prefixItems === undefined
      ? "is an array without `items`"
      : undefined,
  ),
  "object-without-properties": everywhere((schema) =>
    schema.type === "object" && schema.properties === undefined
      ? "is an object without `properties`"
      : undefined,
  ),
  "all-of": everywhere((schema) => describeKeywords(schema, ["allOf"])),
  "type-list": everywhere(({ type }) =>
    Array.isArray(type) ? `has a list of types (${type.join(", ")})` : undefined,
  ),
  const: everywhere((schema) => describeKeywords(schema, ["const"])),
  "enum-not-text": everywhere((schema) =>
    schema.enum?.some((value) => typeof value !== "string")
      ? "has an `enum` with values that are not strings"
      : undefined,
  ),
  "key-patterns": everywhere((schema) => describeKeywords(schema, ["patternProperties", "propertyNames"])),
  "exclusive-bound": everywhere((schema) =>
    describeKeywords(schema, ["exclusiveMinimum", "exclusiveMaximum"]),
  ),
  "format-unknown-to-gemini": everywhere(findUnknownFormat(GEMINI_FORMATS)),
  "format-unknown-to-strict": everywhere(findUnknownFormat(STRICT_FORMATS)),
  untyped: everywhere((schema) =>
    [...COMPOSITIONS, "type", "enum", "const", "$ref"].some((keyword) => keyword in schema)
      ? undefined
      : "has no type",
  ),
  "open-object": everywhere((schema) =>
    listsType(schema, "object") && schema.additionalProperties !== false
      ? "is an object with `additionalProperties`"
      : undefined,
  ),
  "optional-property": everywhere(({ properties = {}, required = [] }) => {
    const names = Object.keys(properties).filter((name) => !required.includes(name));
    return names.length > 0 ? `leaves ${names.map((name) => `\`${name}\``).join(", ")} optional` : undefined;
  }),
  "keyword-unknown-to-strict": everywhere((schema) =>
    describeKeywords(schema, findUnsupportedKeywords(schema, "openai-strict")),
  ),
  "keyword-unknown-to-gemini": everywhere((schema) =>
    describeKeywords(
      schema,
      findUnsupportedKeywords(schema, "gemini").filter((name) => !REPORTED_ELSEWHERE.has(name)),
    ),
  ),
  limits: everywhere((schema) => describeKeywords(schema, NUMERIC_LIMITS)),
} satisfies Record<string, ClientRule>;

export type RuleName = keyof typeof RULES;

function everywhere(find: (schema: JsonSchema) => string | undefined): ClientRule {
  return { find: ({ schema }) => find(schema) };
}

function atRoot(find: (schema: JsonSchema) => string | undefined): ClientRule {
  return { find: ({ schema, path }) => (path.length === 0 ? find(schema) : undefined) };
}

function describeKeywords(schema: JsonSchema, keywords: readonly string[], where = ""): string | undefined {
  const present = keywords.filter((keyword) => Object.hasOwn(schema, keyword));
  if (present.length === 0) return undefined;
  return `has ${present.map((keyword) => `\`${keyword}\``).join(", ")}${where && ` ${where}`}`;
}

function findUnsupportedKeywords(schema: JsonSchema, profile: Exclude<Profile, "portable">): string[] {
  return Object.keys(schema).filter((name) => findKeyword(name)?.acceptedBy?.includes(profile) !== true);
}

function findUnknownFormat(known: ReadonlySet<string>): (schema: JsonSchema) => string | undefined {
  return ({ format }) =>
    format === undefined || known.has(format) ? undefined : `has the format \`${format}\``;
}

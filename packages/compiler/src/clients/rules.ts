import type { JsonSchema, Profile } from "@tenon/runtime/manifest";
import { GEMINI_FORMATS, STRICT_FORMATS } from "../json-schema/formats.js";
import { keyword, type KeywordName } from "../json-schema/keywords.js";
import { namesType, type SchemaPlace } from "./schema-places.js";

/** Something about one schema that some clients do not take. */
export interface ClientRule {
  /** What was found at a place, as the end of a sentence that begins with it; undefined when all is well. */
  find(place: SchemaPlace): string | undefined;
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

const LIMITS: readonly KeywordName[] = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
];

/** Every rule by its name; the names are part of `tenon check --json` and permanent. */
export const RULES = {
  "root-composition": atRoot((schema) => found(schema, COMPOSITIONS, "at the root")),
  "root-enum-or-not": atRoot((schema) => found(schema, ["enum", "not"], "at the root")),
  "root-not-object": atRoot((schema) =>
    schema.type === "object" ? undefined : "is not an object at the root",
  ),
  "dialect-not-2020": atRoot(({ $schema }) =>
    $schema === undefined || $schema.includes("2020-12") ? undefined : `names the dialect ${$schema}`,
  ),
  "dialect-named": atRoot(({ $schema }) => ($schema === undefined ? undefined : "has `$schema`")),
  "tuple-closed-by-items": everywhere(({ prefixItems, items }) =>
    prefixItems !== undefined && items === false
      ? "has `items: false` beside `prefixItems`, which readers of draft-07 take for a list without items"
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
    namesType(schema, "array") && schema.items === undefined && schema.prefixItems === undefined
      ? "is an array without `items`"
      : undefined,
  ),
  "object-without-properties": everywhere((schema) =>
    schema.type === "object" && schema.properties === undefined
      ? "is an object without `properties`"
      : undefined,
  ),
  "all-of": everywhere((schema) => found(schema, ["allOf"])),
  "type-list": everywhere(({ type }) =>
    Array.isArray(type) ? `has a list of types (${type.join(", ")})` : undefined,
  ),
  const: everywhere((schema) => found(schema, ["const"])),
  "enum-not-text": everywhere((schema) =>
    schema.enum?.some((value) => typeof value !== "string")
      ? "has an `enum` with values that are not strings"
      : undefined,
  ),
  "key-patterns": everywhere((schema) => found(schema, ["patternProperties", "propertyNames"])),
  "exclusive-bound": everywhere((schema) => found(schema, ["exclusiveMinimum", "exclusiveMaximum"])),
  "format-unknown-to-gemini": everywhere(unknownFormat(GEMINI_FORMATS)),
  "format-unknown-to-strict": everywhere(unknownFormat(STRICT_FORMATS)),
  untyped: everywhere((schema) =>
    [...COMPOSITIONS, "type", "enum", "const", "$ref"].some((keyword) => keyword in schema)
      ? undefined
      : "has no type",
  ),
  "open-object": everywhere((schema) =>
    namesType(schema, "object") && schema.additionalProperties !== false
      ? "is an object with `additionalProperties`"
      : undefined,
  ),
  "optional-property": everywhere(({ properties = {}, required = [] }) => {
    const names = Object.keys(properties).filter((name) => !required.includes(name));
    return names.length > 0 ? `leaves ${names.map((name) => `\`${name}\``).join(", ")} optional` : undefined;
  }),
  "keyword-unknown-to-strict": everywhere((schema) => found(schema, notTaken(schema, "openai-strict"))),
  "keyword-unknown-to-gemini": everywhere((schema) =>
    found(
      schema,
      notTaken(schema, "gemini").filter((name) => !REPORTED_ELSEWHERE.has(name)),
    ),
  ),
  limits: everywhere((schema) => found(schema, LIMITS)),
} satisfies Record<string, ClientRule>;

export type RuleName = keyof typeof RULES;

function everywhere(find: (schema: JsonSchema) => string | undefined): ClientRule {
  return { find: ({ schema }) => find(schema) };
}

function atRoot(find: (schema: JsonSchema) => string | undefined): ClientRule {
  return { find: ({ schema, path }) => (path.length === 0 ? find(schema) : undefined) };
}

function found(schema: JsonSchema, keywords: readonly string[], where = ""): string | undefined {
  const present = keywords.filter((keyword) => Object.hasOwn(schema, keyword));
  if (present.length === 0) return undefined;
  return `has ${present.map((keyword) => `\`${keyword}\``).join(", ")}${where && ` ${where}`}`;
}

function notTaken(schema: JsonSchema, profile: Exclude<Profile, "portable">): string[] {
  return Object.keys(schema).filter((name) => keyword(name)?.takenBy?.includes(profile) !== true);
}

function unknownFormat(known: ReadonlySet<string>): (schema: JsonSchema) => string | undefined {
  return ({ format }) =>
    format === undefined || known.has(format) ? undefined : `has the format \`${format}\``;
}

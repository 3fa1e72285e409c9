import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { placesIn } from "../json-schema/places.js";
import { isAnnotation, isExplained } from "./validators/explainable-keywords.js";

/** What the runtime reads schemas with, under the names of `@tenon/runtime/features`. */
export const SCHEMA_FEATURES = [
  "allowances",
  "alternatives",
  "formats",
  "keywords",
  "reports",
  "secrets",
] as const;

export type SchemaFeature = (typeof SCHEMA_FEATURES)[number];

/** Keywords of types that are one of several, or refer to themselves. */
const ALTERNATIVES = new Set(["$ref", "$defs", "const", "anyOf", "oneOf", "allOf"]);

/** Keywords that every server's runtime knows, and `format`, which is looked for in another way. */
const PLAIN = new Set(
  "type minimum maximum minLength maxLength required properties format $schema $id".split(" "),
);

/**
 * What a server needs to say everything that is wrong with arguments, from the schemas that arguments are checked
 * against. Forms bring along all of it.
 */
export function schemaFeatures({ tools, prompts, resourceTemplates }: Manifest): Set<SchemaFeature> {
  const inputs = [...tools, ...prompts, ...resourceTemplates].map(({ input }) => input);
  const listed = tools.filter(({ input }) => input.schema === undefined);
  const schemas = [
    ...inputs.flatMap(({ schema }) => (schema === undefined ? [] : [schema])),
    ...listed.map(({ definition }) => definition.inputSchema),
  ];
  const needed = new Set(schemas.flatMap((schema) => ofSchema(schema)));
  if (inputs.some(({ allows }) => allows !== undefined)) needed.add("allowances");
  return needed;
}

function ofSchema(schema: JsonSchema): SchemaFeature[] {
  const text = JSON.stringify(schema);
  return [
    // In keywords that nobody here knows, any other may stand.
    ...(isExplained(schema) ? [] : (["alternatives", "keywords", "reports"] as const)),
    ...(text.includes('"format":') ? (["formats"] as const) : []),
    ...(text.includes('"writeOnly":') ? (["secrets"] as const) : []),
    ...placesIn(schema).flatMap(({ schema: each }) => ofPlace(each)),
  ];
}

function ofPlace(schema: JsonSchema): SchemaFeature[] {
  return Object.entries(schema).flatMap(([keyword, value]): SchemaFeature[] => [
    ...(isOfAlternatives(keyword, value) ? (["alternatives"] as const) : []),
    ...(isPlain(keyword, value) || isAnnotation(keyword) ? [] : (["keywords"] as const)),
  ]);
}

/** A member with one choice tells its object apart from others, and is named where such an object is wanted. */
function isOfAlternatives(keyword: string, value: unknown): boolean {
  return ALTERNATIVES.has(keyword) || (keyword === "enum" && Array.isArray(value) && value.length === 1);
}

/** True when `keywords` is not needed. */
function isPlain(keyword: string, value: unknown): boolean {
  // Arrays and objects are compared in a way of their own.
  const isScalar = (each: unknown): boolean => typeof each !== "object" || each === null;
  if (keyword === "const") return isScalar(value);
  if (keyword === "enum") return Array.isArray(value) && value.every(isScalar);
  if (keyword === "items") return value !== false;
  if (keyword === "additionalProperties") return typeof value === "boolean";
  return PLAIN.has(keyword) || ALTERNATIVES.has(keyword);
}

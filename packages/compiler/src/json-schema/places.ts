import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";

/** One schema inside another. */
export interface SchemaPlace {
  schema: JsonSchema;
  /** Property names, `[]` for items, `[0]` for tuple elements; definitions begin with their name. */
  path: readonly string[];
}

const BRANCHES = ["anyOf", "oneOf", "allOf"];
const SAME_PLACE = new Set([...BRANCHES, "not", "if", "then", "else"]);
const MEMBERS = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);
const INNER = new Map([
  ["items", "[]"],
  ["contains", "[]"],
  ["unevaluatedItems", "[]"],
  ["additionalProperties", "[key]"],
  ["unevaluatedProperties", "[key]"],
  ["propertyNames", "[key]"],
]);

/** A schema and every schema inside it, from the outside in. The author's own may hold any keyword. */
export function placesIn(schema: JsonSchema, path: readonly string[] = []): SchemaPlace[] {
  const places: SchemaPlace[] = [{ schema, path }];
  for (const [keyword, value] of Object.entries(schema)) {
    for (const [step, inner] of innerSchemas(keyword, value)) {
      // A branch at the root is at the root no more: rules about the root are about its own keywords.
      const at = SAME_PLACE.has(keyword) && path.length === 0 ? [keyword] : [...path, ...step];
      places.push(...placesIn(inner, at));
    }
  }
  return places;
}

function innerSchemas(keyword: string, value: unknown): [step: string[], schema: JsonSchema][] {
  if (SAME_PLACE.has(keyword)) return [value].flat().flatMap((each) => (isSchema(each) ? [[[], each]] : []));
  if (MEMBERS.has(keyword) && isSchema(value)) {
    return Object.entries(value).flatMap(([name, each]) => (isSchema(each) ? [[[name], each]] : []));
  }
  if (keyword === "prefixItems" || (keyword === "items" && Array.isArray(value))) {
    return (value as unknown[]).flatMap((each, index) => (isSchema(each) ? [[[`[${index}]`], each]] : []));
  }
  const step = INNER.get(keyword);
  return step !== undefined && isSchema(value) ? [[[step], value]] : [];
}

/** Whether a schema lets a value be of a type, by saying so. */
export function isType(schema: JsonSchema, type: JsonTypeName): boolean {
  return [schema.type ?? []].flat().includes(type);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

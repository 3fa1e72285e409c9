import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { keyword } from "../json-schema/keywords.js";
import { subschemasOf, type Subschema } from "../json-schema/walk.js";

/** One schema inside another. */
export interface SchemaPlace {
  schema: JsonSchema;
  /** Property names, `[]` for items, `[0]` for tuple elements; definitions begin with their name. */
  path: readonly string[];
}

/** A schema and every schema inside it, from the outside in. */
export function placesIn(schema: JsonSchema, path: readonly string[] = []): SchemaPlace[] {
  const inner = subschemasOf(schema).flatMap((each) => {
    const step = stepTo(each);
    // A branch at the root is at the root no more: rules about the root are about its own keywords.
    const at = step === undefined && path.length === 0 ? [each.keyword] : [...path, ...(step ? [step] : [])];
    return placesIn(each.schema, at);
  });
  return [{ schema, path }, ...inner];
}

/** The step to a part of the value; undefined where the value is the same one. */
function stepTo({ keyword: name, key }: Subschema): string | undefined {
  const { holds, of: [type] = [] } = keyword(name) ?? {};
  if (holds === "map") return String(key);
  if (type === "array") return key === undefined ? "[]" : `[${key}]`;
  return type === "object" ? "[key]" : undefined;
}

/** Whether a schema lets a value be of a type, by saying so. */
export function namesType(schema: JsonSchema, type: JsonTypeName): boolean {
  return [schema.type ?? []].flat().includes(type);
}

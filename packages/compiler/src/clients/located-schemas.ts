import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { findKeyword } from "../json-schema/keywords.js";
import { listSubschemas, type Subschema } from "../json-schema/walk.js";

/** A schema inside another. */
export interface LocatedSchema {
  schema: JsonSchema;
  /**
   * Property names, `[]` for items, `[0]` for tuple elements. Paths in definitions begin with the definition's name.
   */
  path: readonly string[];
}

/** Returns a schema and every schema inside it, outermost first. */
export function listLocatedSchemas(schema: JsonSchema, path: readonly string[] = []): LocatedSchema[] {
  const inner = listSubschemas(schema).flatMap((each) => {
    const step = toPathStep(each);
    // Rules about the root concern its own keywords, not those of its branches.
    const at = step === undefined && path.length === 0 ? [each.keyword] : [...path, ...(step ? [step] : [])];
    return listLocatedSchemas(each.schema, at);
  });
  return [{ schema, path }, ...inner];
}

/** Returns the path segment of a nested value. Undefined if the keyword applies to the same value. */
function toPathStep({ keyword: name, key }: Subschema): string | undefined {
  const { holds, of: [type] = [] } = findKeyword(name) ?? {};
  if (holds === "map") return String(key);
  if (type === "array") return key === undefined ? "[]" : `[${key}]`;
  return type === "object" ? "[key]" : undefined;
}

/** Returns whether a schema's `type` lists a type. */
export function listsType(schema: JsonSchema, type: JsonTypeName): boolean {
  return [schema.type ?? []].flat().includes(type);
}

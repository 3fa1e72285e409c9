import type { JsonSchema } from "@tenon/runtime/manifest";

/** A schema that is neither `true` nor `false`, nor left out. */
export function isSchemaObject(schema: JsonSchema | boolean | undefined): schema is JsonSchema {
  return typeof schema === "object";
}

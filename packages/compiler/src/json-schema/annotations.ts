import type { JsonSchema } from "@tenon/runtime/manifest";
import { isAnnotation } from "./keywords.js";
import { mapSchema } from "./walk.js";

/** What is left of a schema when all is gone that has no say in which values fit. */
export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => {
    const kept = Object.entries(each).filter(([name]) => !isAnnotation(name));
    return kept.length === Object.keys(each).length ? each : Object.fromEntries(kept);
  });
}

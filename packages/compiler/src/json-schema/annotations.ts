import type { JsonSchema } from "@tenon/runtime/manifest";
import { isAnnotation } from "./keywords.js";
import { mapSchema } from "./walk.js";

/** Returns a schema without annotations, which do not affect which values are valid. */
export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => {
    const members = Object.entries(each).filter(([name]) => !isAnnotation(name));
    return members.length === Object.keys(each).length ? each : Object.fromEntries(members);
  });
}

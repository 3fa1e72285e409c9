import type { JsonSchema, Profile } from "@tenon/runtime/manifest";
import { mapSchema } from "../json-schema/walk.js";
import { gemini } from "./gemini.js";
import type { Lowered } from "./lowering.js";
import { openaiStrict } from "./openai-strict.js";
import { portable, takenByAll } from "./portable.js";

/** Changes one schema, telling what gets lost. */
export type Lowering = (schema: JsonSchema) => Lowered;

const LOWERINGS: Record<Profile, Lowering> = {
  portable: (schema) => ({ schema: portable(schema), losses: [] }),
  "openai-strict": (schema) => openaiStrict(takenByAll(schema)),
  gemini: (schema) => gemini(takenByAll(schema)),
};

/**
 * The input schema of a tool as clients of a profile are to see it. A pure change of what is listed: arguments
 * are checked against the schema as it was.
 *
 * @param schema as exact as the type
 * @returns the same object when nothing had to change
 * @example
 * lower({ type: "object", properties: { days: { type: "number" } }, additionalProperties: false }, "openai-strict")
 * // schema: { …, properties: { days: { type: ["number", "null"] } }, required: ["days"] }
 */
export function lower(schema: JsonSchema, profile: Profile): Lowered {
  const lowered = LOWERINGS[profile](schema);
  if (lowered.schema === schema || JSON.stringify(lowered.schema) !== JSON.stringify(schema)) return lowered;
  return { ...lowered, schema };
}

/**
 * Without members that may be left out and are called as what every object inherits: the validators of clients find
 * the inherited function in their place, and refuse the result.
 */
function withoutInheritedNames(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties);
  const kept = members.filter(([name]) => required.includes(name) || !(name in Object.prototype));
  return kept.length === members.length ? schema : { ...schema, properties: Object.fromEntries(kept) };
}

/**
 * The output schema of a tool as clients are to see it: the same in every profile, because clients check results
 * against it, and no provider is sent it.
 *
 * @param schema as exact as the type
 * @returns the same object when nothing had to change
 */
export function lowerResult(schema: JsonSchema): JsonSchema {
  return mapSchema(portable(schema), withoutInheritedNames);
}

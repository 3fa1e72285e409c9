import type { JsonSchema, Profile } from "@tenon/runtime/manifest";
import { gemini } from "./gemini.js";
import type { Lowered } from "./lowering.js";
import { openaiStrict } from "./openai-strict.js";
import { portable } from "./portable.js";

/** Changes one schema, telling what gets lost. */
export type Lowering = (schema: JsonSchema) => Lowered;

/** From the profile `portable` to each other. */
const LOWERINGS: Record<Profile, Lowering> = {
  portable: (schema) => ({ schema, losses: [] }),
  "openai-strict": openaiStrict,
  gemini,
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
  const lowered = LOWERINGS[profile](portable(schema));
  if (lowered.schema === schema || JSON.stringify(lowered.schema) !== JSON.stringify(schema)) return lowered;
  return { ...lowered, schema };
}

/**
 * The output schema of a tool as clients are to see it: the same in every profile, because clients check results
 * against it, and no provider is sent it.
 *
 * @param schema as exact as the type
 * @returns the same object when nothing had to change
 */
export function lowerResult(schema: JsonSchema): JsonSchema {
  return portable(schema);
}

import type { JsonSchema, Profile } from "@tenon/runtime/manifest";
import { mapSchema } from "../json-schema/walk.js";
import { lowerForGemini } from "./gemini.js";
import type { LoweredSchema } from "./lowering.js";
import { lowerForOpenAiStrict } from "./openai-strict.js";
import { toPortable, toCommonSchema } from "./portable.js";
import { closeRecords } from "./result-records.js";

/** A function that simplifies a schema for a profile, and reports what is lost. */
export type Lowering = (schema: JsonSchema) => LoweredSchema;

const LOWERINGS: Record<Profile, Lowering> = {
  portable: (schema) => ({ schema: toPortable(schema), losses: [] }),
  "openai-strict": (schema) => lowerForOpenAiStrict(toCommonSchema(schema)),
  gemini: (schema) => lowerForGemini(toCommonSchema(schema)),
};

/**
 * Returns the input schema of a tool as clients of a profile see it. Only the listed schema changes: arguments are
 * validated against the original.
 *
 * @param schema the schema that matches the type exactly
 * @returns the same object if nothing changed
 * @example
 * lower({ type: "object", properties: { days: { type: "number" } }, additionalProperties: false }, "openai-strict")
 * // schema: { …, properties: { days: { type: ["number", "null"] } }, required: ["days"] }
 */
export function lower(schema: JsonSchema, profile: Profile): LoweredSchema {
  const lowered = LOWERINGS[profile](schema);
  if (lowered.schema === schema || JSON.stringify(lowered.schema) !== JSON.stringify(schema)) return lowered;
  return { ...lowered, schema };
}

/**
 * Removes optional members with the names of inherited object members. Clients' validators would find the inherited
 * function instead, and reject the result.
 */
function withoutInheritedNames(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties);
  const remaining = members.filter(([name]) => required.includes(name) || !(name in Object.prototype));
  return remaining.length === members.length
    ? schema
    : { ...schema, properties: Object.fromEntries(remaining) };
}

/**
 * Returns the output schema of a tool as clients see it. It is the same in every profile, because clients validate
 * results against it, and providers do not receive it.
 *
 * @param schema the schema that matches the type exactly
 * @returns the same object if nothing changed
 */
export function lowerResult(schema: JsonSchema): JsonSchema {
  return mapSchema(toPortable(closeRecords(schema)), withoutInheritedNames);
}

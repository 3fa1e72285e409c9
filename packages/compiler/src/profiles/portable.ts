import type { JsonSchema } from "@tenon/runtime/manifest";
import { joinFragments } from "../schema/join.js";
import { NOT_LOWERCASED, NOT_UPPERCASED } from "../schema/families/template-literals.js";
import { mapSchema } from "../json-schema/walk.js";

/**
 * The profile `portable`: what every family of clients takes. Deriving writes this already, but for what can be
 * said exactly only with keywords that some clients refuse: patterns of keys, and Unicode classes in
 * patterns. Those are listed a little looser here, and validated exactly all the same.
 *
 * A pure change of schemas, as further profiles are: `profile(exact)`.
 *
 * @returns the same object when nothing had to change
 */
export function portable(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => withoutKeyPatterns(withPlainPattern(each)));
}

function withoutKeyPatterns(schema: JsonSchema): JsonSchema {
  const { patternProperties, ...rest } = schema;
  if (!patternProperties) return schema;
  if (rest.additionalProperties !== false) return rest;
  const joined = joinFragments(
    Object.values(patternProperties).map((each) => ({ schema: each })),
    "input",
  ).schema;
  return { ...rest, additionalProperties: Object.keys(joined).length === 0 ? true : joined };
}

function withPlainPattern(schema: JsonSchema): JsonSchema {
  const { pattern } = schema;
  if (pattern === undefined || !pattern.includes("\\P{Changes_When_")) return schema;
  const plain = pattern.replaceAll(NOT_UPPERCASED, "[^a-z]").replaceAll(NOT_LOWERCASED, "[^A-Z]");
  return { ...schema, pattern: plain };
}

import type { JsonSchema } from "@tenon/runtime/manifest";
import { joinFragments } from "../schema/join.js";
import { NOT_LOWERCASED, NOT_UPPERCASED } from "../schema/families/template-literals.js";
import { mapSchema } from "../json-schema/walk.js";

/**
 * The profile `portable`: what every family of clients takes, and what means the same to those that read schemas by
 * draft-07, as the official SDK 1.x does, and by 2020-12, or less strictly the same. Deriving writes this already, but
 * for what can be said exactly only otherwise: patterns of keys, Unicode classes in patterns, and tuples. Those are
 * listed a little looser here, and validated exactly all the same.
 *
 * A pure change of schemas, as further profiles are: `profile(exact)`.
 *
 * @returns the same object when nothing had to change
 */
export function portable(schema: JsonSchema): JsonSchema {
  return mapSchema(takenByAll(schema), readAlike);
}

/** Without the keywords that some clients refuse. */
export function takenByAll(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => withoutKeyPatterns(withPlainPattern(each)));
}

/**
 * A reader of draft-07 knows nothing of `prefixItems`, and holds every item against `items`: it has to allow what any
 * of them may be. `maxItems` alone closes a tuple.
 */
function readAlike(schema: JsonSchema): JsonSchema {
  const { prefixItems, items } = schema;
  if (!prefixItems) return schema;
  const rest = typeof items === "object" ? [items] : [];
  const all = [...prefixItems, ...rest].map(({ title: _t, description: _d, ...each }) => ({ schema: each }));
  const any = joinFragments(all, "input").schema;
  return JSON.stringify(any) === JSON.stringify(items) ? schema : { ...schema, items: any };
}

function withoutKeyPatterns(schema: JsonSchema): JsonSchema {
  const { patternProperties, propertyNames, ...rest } = schema;
  if (!patternProperties) return propertyNames ? rest : schema;
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

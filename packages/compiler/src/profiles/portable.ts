import type { JsonSchema } from "@tenon/runtime/manifest";
import { joinFragments } from "../schema/derivation/join.js";
import { NOT_LOWERCASED, NOT_UPPERCASED } from "../schema/families/template-literals.js";
import { mapSchema } from "../json-schema/walk.js";

/**
 * The profile `portable`: schemas that every client family accepts, and that are equivalent or less strict under
 * draft-07, which the official SDK 1.x uses. Derived schemas already conform, except for key patterns, Unicode classes
 * in patterns, and tuples. Those are listed less strictly here, but still validated exactly.
 *
 * Like other profiles, it only transforms the exact schemas.
 *
 * @returns the same object if nothing changed
 */
export function toPortable(schema: JsonSchema): JsonSchema {
  return mapSchema(toCommonSchema(schema), withTupleItems);
}

/** Removes the keywords that some clients reject. */
export function toCommonSchema(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => withoutKeyPatterns(withPlainPattern(each)));
}

/**
 * Makes `items` allow every element of a tuple. Draft-07 has no `prefixItems`, and validates every item against
 * `items`. Only `maxItems` closes a tuple.
 */
function withTupleItems(schema: JsonSchema): JsonSchema {
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
  // A result may have other members. Clients must know that there are some, whatever their names and types.
  if (rest.additionalProperties === undefined) return { ...rest, additionalProperties: true };
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

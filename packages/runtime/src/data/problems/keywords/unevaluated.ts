/**
 * Keywords for members and items that no other keyword has evaluated.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-a-vocabulary-for-unevaluate
 * @module
 */
import { type JsonSchema, findTarget } from "../../../protocol/json-schema.js";
import { isObject } from "../../../protocol/jsonrpc.js";
import { formatCount } from "../describe-schema.js";
import { fitsAlternative } from "../fits-alternative.js";
import { collectInside, keyword, type KeywordCheck, type Scope } from "../search.js";
import { getDeclaredMember } from "../member-schemas.js";
import { hasMember, reportUnknown } from "./objects.js";

export const unevaluatedKeywords: readonly KeywordCheck[] = [
  keyword(
    "unevaluatedProperties",
    "object",
    (allowed: unknown, value: Record<string, unknown>, schema, search) => {
      const { unevaluatedProperties: _, ...others } = schema;
      const schemas = [...collectSchemas(value, others, search)];
      for (const [name, member] of Object.entries(value)) {
        if (schemas.some((each) => evaluatesMember(each, name))) continue;
        if (isObject(allowed)) collectInside(name, allowed, member, search);
        else if (allowed === false) reportUnknown(name, value, schema, search);
      }
    },
  ),
  keyword("unevaluatedItems", "array", (allowed: unknown, list: unknown[], schema, search) => {
    const { unevaluatedItems: _, ...others } = schema;
    const evaluated = Math.max(...[...collectSchemas(list, others, search)].map(countEvaluatedItems));
    if (allowed === false)
      return list.length > evaluated && (() => `have at most ${formatCount(evaluated, "item")}`);
    for (let index = evaluated; isObject(allowed) && index < list.length; index++)
      collectInside(index, allowed, list[index], search);
    return undefined;
  }),
];

function evaluatesMember(schema: JsonSchema, name: string): boolean {
  const { patternProperties = {}, additionalProperties, unevaluatedProperties } = schema;
  return (
    additionalProperties !== undefined ||
    unevaluatedProperties !== undefined ||
    getDeclaredMember(schema, name) !== undefined ||
    Object.keys(patternProperties).some((pattern) => new RegExp(pattern, "u").test(name))
  );
}

/** Returns the number of evaluated items, from the first. As in ajv, `contains` evaluates all items. */
function countEvaluatedItems({ prefixItems = [], items, contains, unevaluatedItems }: JsonSchema): number {
  return (items ?? contains ?? unevaluatedItems) === undefined ? prefixItems.length : Infinity;
}

/** Collects a schema and the schemas inside it that apply to the same value. Alternatives apply if they accept it. */
function collectSchemas(
  value: object,
  schema: JsonSchema,
  scope: Scope,
  found = new Set<JsonSchema>(),
): Set<JsonSchema> {
  if (found.has(schema)) return found;
  found.add(schema);
  const accepts = (each: unknown): boolean => isObject(each) && fitsAlternative(each, value, scope);
  const { anyOf = [], oneOf = [], allOf = [], dependentSchemas = {} } = schema;
  const inside: unknown[] = [
    findTarget(schema, scope.root),
    ...allOf,
    ...[...anyOf, ...oneOf].filter(accepts),
    ...(accepts(schema.if) ? [schema.if, schema.then] : [schema.else]),
    ...Object.entries(dependentSchemas as object).map(([name, each]: [string, unknown]) =>
      hasMember(value, name) ? each : undefined,
    ),
  ];
  for (const each of inside) if (isObject(each)) collectSchemas(value, each, scope, found);
  return found;
}

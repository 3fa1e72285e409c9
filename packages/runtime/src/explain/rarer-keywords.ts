/**
 * The keywords that some servers' schemas have, and why a value does not satisfy them.
 * @module
 */
import type { JsonSchema } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import { equal, uniqueItems } from "../validation/compiled-validators.js";
import { declaredMember, reportUnknown } from "./plain-keywords.js";
import { lookInside, rule } from "./problems.js";
import type { Rule } from "./vocabulary.js";
import { count } from "./words.js";

const rules: readonly Rule[] = [
  rule(
    "exclusiveMaximum",
    "number",
    (limit: number, value: number) => value >= limit && (() => `be less than ${limit}`),
  ),
  rule(
    "exclusiveMinimum",
    "number",
    (limit: number, value: number) => value <= limit && (() => `be more than ${limit}`),
  ),
  rule(
    "multipleOf",
    "number",
    (factor: number, value: number) => !isMultiple(value, factor) && (() => `be a multiple of ${factor}`),
  ),
  rule(
    "pattern",
    "string",
    (pattern: string, text: string) =>
      !new RegExp(pattern, "u").test(text) && (() => `match the pattern ${pattern}`),
  ),
  rule(
    "maxItems",
    "array",
    (limit: number, list: unknown[]) => list.length > limit && (() => `have at most ${count(limit, "item")}`),
  ),
  rule(
    "minItems",
    "array",
    (limit: number, list: unknown[]) =>
      list.length < limit && (() => `have at least ${count(limit, "item")}`),
  ),
  rule("prefixItems", "array", (schemas: JsonSchema[], list: unknown[], _, search) => {
    for (const [index, each] of schemas.slice(0, list.length).entries()) {
      lookInside(index, each, list[index], search);
    }
  }),
  rule(
    "items",
    "array",
    (items: unknown, list: unknown[], { prefixItems = [] }) =>
      items === false &&
      list.length > prefixItems.length &&
      (() => `have at most ${count(prefixItems.length, "item")}`),
  ),
  rule(
    "maxProperties",
    "object",
    (limit: number, value: object, schema) =>
      countMembers(schema, value) > limit && (() => `have at most ${count(limit, "member")}`),
  ),
  rule(
    "minProperties",
    "object",
    (limit: number, value: object, schema) =>
      countMembers(schema, value) < limit && (() => `have at least ${count(limit, "member")}`),
  ),
];

/** What is told after the plain keywords of arrays and objects. */
const lateRules: readonly Rule[] = [
  rule(
    "uniqueItems",
    "array",
    (isWanted: boolean, list: unknown[]) =>
      isWanted && !uniqueItems(list) && (() => "not hold the same item twice"),
  ),
  rule(
    "additionalProperties",
    "object",
    (allowed: unknown, value: Record<string, unknown>, schema, search) => {
      const { patternProperties } = schema;
      // Plain keywords know the rest.
      if (!isObject(allowed) && (allowed !== false || patternProperties === undefined)) return;
      const patterns = Object.keys(patternProperties ?? {}).map((pattern) => new RegExp(pattern, "u"));
      for (const [name, member] of Object.entries(value)) {
        const isKnown =
          declaredMember(schema, name) !== undefined || patterns.some((each) => each.test(name));
        if (isKnown) continue;
        if (isObject(allowed)) lookInside(name, allowed, member, search);
        else reportUnknown(name, value, schema, search);
      }
    },
  ),
  rule(
    "patternProperties",
    "object",
    (patterns: Record<string, JsonSchema>, value: Record<string, unknown>, _, search) => {
      for (const [pattern, schema] of Object.entries(patterns)) {
        const test = new RegExp(pattern, "u");
        for (const [name, member] of Object.entries(value)) {
          if (test.test(name)) lookInside(name, schema, member, search);
        }
      }
    },
  ),
];

function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  // What compiled validators do, which for huge quotients is not `Number.isInteger`.
  return factor !== 0 && quotient === Number.parseInt(String(quotient), 10);
}

/** Compiled validators fill in defaults before they count. */
function countMembers({ properties = {}, required = [] }: JsonSchema, value: object): number {
  const filled = Object.entries(properties).filter(
    ([name, member]) =>
      member.default !== undefined && !Object.hasOwn(value, name) && !required.includes(name),
  );
  return Object.keys(value).length + filled.length;
}

/** Schemas with any keyword that is not among the commonest, or with choices that are arrays or objects. */
export const keywords = { rules, lateRules, equal };

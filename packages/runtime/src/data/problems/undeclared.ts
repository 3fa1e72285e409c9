import { type JsonSchema, resolve } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { fitsAlternative, memoize } from "./fits-alternative.js";
import { findMemberSchemas } from "./member-schemas.js";
import type { Scope } from "./search.js";

/**
 * Returns the number of members that a schema does not declare, at all levels. An object schema without any declared
 * members allows all.
 *
 * @param value fits the schema
 * @example
 * countUndeclared({ type: "object", properties: { id: { type: "number" } } }, { id: 1, hash: "x" }, scope) // 1
 */
export function countUndeclared(schema: JsonSchema, value: unknown, scope: Scope): number {
  return memoize(scope, "undeclared", value, schema, () => count(schema, value, scope));
}

function count(schema: JsonSchema, value: unknown, scope: Scope): number {
  const resolved = resolve(schema, scope.root);
  const { anyOf, prefixItems = [], items, properties = {}, patternProperties } = resolved;
  const countIn = (part: JsonSchema, inner: unknown): number => countUndeclared(part, inner, scope);
  if (anyOf !== undefined) {
    const fitting = anyOf.filter((each) => fitsAlternative(each, value, scope));
    return Math.min(...fitting.map((each) => countIn(each, value)));
  }
  if (Array.isArray(value)) {
    const parts = value.map((_, index) => prefixItems[index] ?? items);
    return sum(parts.map((part, index) => (isObject(part) ? countIn(part, value[index]) : 0)));
  }
  if (!isObject(value)) return 0;
  const isClosed =
    resolved.additionalProperties === undefined &&
    (patternProperties !== undefined || Object.keys(properties).length > 0);
  return sum(
    Object.entries(value).map(([name, member]) => {
      const [part] = findMemberSchemas(resolved, name);
      return part ? countIn(part, member) : Number(isClosed && member !== undefined);
    }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

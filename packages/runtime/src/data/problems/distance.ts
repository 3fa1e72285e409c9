import { isTypeAllowed, type JsonSchema, resolve, getJsonType } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { fitsAlternative, memoize } from "./fits-alternative.js";
import { findMemberSchemas } from "./member-schemas.js";
import type { Scope } from "./search.js";

/** The distance of a missing or unknown part, which counts more than a part of the wrong type. */
const MISSING_OR_UNKNOWN = 2;

/**
 * Returns how far a value is from a schema: 0 if it fits, 1 if not even its JSON type does. A part that nearly fits
 * counts less than one that does not, so that a deeply nested problem hardly affects the distance of the whole value.
 *
 * @example
 * measureDistance({ type: "array", items: { type: "number" } }, [1, 2, "3"], scope) // 0.5
 * measureDistance({ type: "array", items: { type: "string" } }, [1, 2, "3"], scope) // 0.67
 */
export function measureDistance(schema: JsonSchema, value: unknown, scope: Scope): number {
  return memoize(scope, "distance", value, schema, () => measure(schema, value, scope), 1);
}

function measure(schema: JsonSchema, value: unknown, scope: Scope): number {
  if (fitsAlternative(schema, value, scope)) return 0;
  const resolved = resolve(schema, scope.root);
  const { anyOf, oneOf, type } = resolved;
  const branches = anyOf ?? oneOf;
  if (branches !== undefined)
    return Math.min(...branches.map((branch) => measureDistance(branch, value, scope)));
  if (type !== undefined && !isTypeAllowed(getJsonType(value), type)) return 1;
  const faults = Array.isArray(value)
    ? countListFaults(resolved, value, scope)
    : isObject(value)
      ? countObjectFaults(resolved, value, scope)
      : 1;
  // The type is right, and no part is wrong: some other keyword is not satisfied.
  return faults === 0 ? 0.5 : faults / (faults + 1);
}

function countListFaults(schema: JsonSchema, list: readonly unknown[], scope: Scope): number {
  const { prefixItems = [], items, minItems = 0, maxItems = Infinity } = schema;
  const max = items === false ? prefixItems.length : maxItems;
  const missingOrExtra = Math.max(0, minItems - list.length, list.length - max);
  return list.reduce<number>((sum, item, index) => {
    const wanted = prefixItems[index] ?? items;
    return sum + (isObject(wanted) ? measureDistance(wanted, item, scope) : 0);
  }, MISSING_OR_UNKNOWN * missingOrExtra);
}

function countObjectFaults(schema: JsonSchema, value: Record<string, unknown>, scope: Scope): number {
  const { required = [], additionalProperties } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).length;
  return Object.entries(value).reduce<number>((sum, [name, member]) => {
    const [wanted] = findMemberSchemas(schema, name);
    if (wanted !== undefined) return sum + measureDistance(wanted, member, scope);
    return sum + (additionalProperties === false ? MISSING_OR_UNKNOWN : 0);
  }, MISSING_OR_UNKNOWN * missing);
}

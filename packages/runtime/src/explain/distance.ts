import { isTypeAllowed, type JsonSchema, resolve, typeOf } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import { fitsAlternative, memoized } from "./fits-alternative.js";
import type { Scope } from "./search.js";

/** What has a part too few or too many is further off than what has one of another type. */
const MISSING_OR_UNKNOWN = 2;

/**
 * How far a value is from a schema: 0 where it fits, 1 where not even its JSON type does. A part that is nearly right
 * counts for less than one that is not, so that what is wrong deep inside a value says little about the whole.
 *
 * @example
 * distance({ type: "array", items: { type: "number" } }, [1, 2, "3"], scope) // 0.5
 * distance({ type: "array", items: { type: "string" } }, [1, 2, "3"], scope) // 0.67
 */
export function distance(schema: JsonSchema, value: unknown, scope: Scope): number {
  return memoized(scope, "distance", value, schema, () => measure(schema, value, scope), 1);
}

function measure(schema: JsonSchema, value: unknown, scope: Scope): number {
  if (fitsAlternative(schema, value, scope)) return 0;
  const resolved = resolve(schema, scope.root);
  const { anyOf, oneOf, type } = resolved;
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) return Math.min(...branches.map((branch) => distance(branch, value, scope)));
  if (type !== undefined && !isTypeAllowed(typeOf(value), type)) return 1;
  const faults = Array.isArray(value)
    ? faultsOfList(resolved, value, scope)
    : isObject(value)
      ? faultsOfObject(resolved, value, scope)
      : 1;
  // Of the right type, but for a keyword that no part is to blame for.
  return faults === 0 ? 0.5 : faults / (faults + 1);
}

function faultsOfList(schema: JsonSchema, list: readonly unknown[], scope: Scope): number {
  const { prefixItems = [], items, minItems = 0, maxItems = Infinity } = schema;
  const most = items === false ? prefixItems.length : maxItems;
  const lacking = Math.max(0, minItems - list.length, list.length - most);
  return list.reduce<number>((sum, item, index) => {
    const wanted = prefixItems[index] ?? items;
    return sum + (isObject(wanted) ? distance(wanted, item, scope) : 0);
  }, MISSING_OR_UNKNOWN * lacking);
}

function faultsOfObject(schema: JsonSchema, value: Record<string, unknown>, scope: Scope): number {
  const { properties = {}, required = [], patternProperties, additionalProperties } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).length;
  return Object.entries(value).reduce<number>((sum, [name, member]) => {
    const wanted = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (wanted === false) return sum + (patternProperties === undefined ? MISSING_OR_UNKNOWN : 0);
    return sum + (isObject(wanted) ? distance(wanted, member, scope) : 0);
  }, MISSING_OR_UNKNOWN * missing);
}

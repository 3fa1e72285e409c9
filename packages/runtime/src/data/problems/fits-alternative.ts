import { type JsonSchema, resolve } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { fits, type MemoKind, type Scope } from "./search.js";

/**
 * Returns whether a value fits an alternative. The result is memoized: each enclosing alternative needs it again, which
 * adds up for types that refer to themselves.
 */
export function fitsAlternative(branch: JsonSchema, value: unknown, scope: Scope): boolean {
  return memoize(
    scope,
    "fits",
    value,
    branch,
    () => !isUnrelated(branch, value, scope) && fits(branch, value, scope),
  );
}

/**
 * Returns whether an alternative requires no members and declares none of an object's. Without its undeclared members,
 * every object would fit such a type. TypeScript rejects such an object too: it calls the type weak.
 *
 * @example
 * isUnrelated({ type: "object", properties: { name: {} } }, { nmae: "Ada" }, scope) // true
 */
export function isUnrelated(branch: JsonSchema, value: unknown, scope: Scope): boolean {
  if (!scope.isOfResult || !isObject(value)) return false;
  const { required, properties = {}, patternProperties, additionalProperties } = resolve(branch, scope.root);
  if (required?.length || patternProperties || additionalProperties !== undefined) return false;
  const [names, declared] = [Object.keys(value), Object.keys(properties)];
  return names.length > 0 && declared.length > 0 && !names.some((name) => declared.includes(name));
}

/**
 * Returns the result of `find` for a value and a schema. `find` runs only once per scope.
 *
 * @param meanwhile the result while `find` runs, for a type that refers to itself without a step into the value
 */
export function memoize<T>(
  { known }: Scope,
  kind: MemoKind,
  value: unknown,
  schema: object,
  find: () => T,
  meanwhile?: T,
): T {
  const byValue = known.get(kind) ?? new Map<unknown, Map<object, unknown>>();
  known.set(kind, byValue);
  const bySchema = byValue.get(value) ?? new Map<object, unknown>();
  byValue.set(value, bySchema);
  if (!bySchema.has(schema)) {
    if (meanwhile !== undefined) bySchema.set(schema, meanwhile);
    bySchema.set(schema, find());
  }
  return bySchema.get(schema) as T;
}

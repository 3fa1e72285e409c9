import type { JsonSchema } from "../../protocol/json-schema.js";
import { fits, type MemoKind, type Scope } from "./search.js";

/**
 * Returns whether a value fits an alternative. The result is memoized: each enclosing alternative needs it again, which
 * adds up for types that refer to themselves.
 */
export function fitsAlternative(branch: JsonSchema, value: unknown, scope: Scope): boolean {
  return memoize(scope, "fits", value, branch, () => fits(branch, value, scope));
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

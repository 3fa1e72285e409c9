import type { JsonSchema } from "../protocol/json-schema.js";
import { fits, type Question, type Scope } from "./search.js";

/** Asked again for each alternative around it, which for types that refer to themselves would be very often. */
export function fitsAlternative(branch: JsonSchema, value: unknown, scope: Scope): boolean {
  return memoized(scope, "fits", value, branch, () => fits(branch, value, scope));
}

/**
 * What is found out for a value and a schema once, for as long as the scope lasts.
 *
 * @param meanwhile the answer while it is being found, where a type leads back to itself without a step into the value
 */
export function memoized<T>(
  { known }: Scope,
  question: Question,
  value: unknown,
  schema: object,
  find: () => T,
  meanwhile?: T,
): T {
  const byValue = known.get(question) ?? new Map<unknown, Map<object, unknown>>();
  known.set(question, byValue);
  const bySchema = byValue.get(value) ?? new Map<object, unknown>();
  byValue.set(value, bySchema);
  if (!bySchema.has(schema)) {
    if (meanwhile !== undefined) bySchema.set(schema, meanwhile);
    bySchema.set(schema, find());
  }
  return bySchema.get(schema) as T;
}

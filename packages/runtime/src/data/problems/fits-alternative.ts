import { type JsonSchema, resolve } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { findMemberSchemas } from "./member-schemas.js";
import { fits, type MemoKind, type Scope } from "./search.js";

/**
 * Returns whether a value fits an alternative. The result is memoized: each enclosing alternative needs it again, which
 * adds up for types that refer to themselves.
 */
export function fitsAlternative(branch: JsonSchema, value: unknown, scope: Scope): boolean {
  return memoize(scope, "fits", value, branch, () => fits(branch, value, scope));
}

/**
 * Returns the alternatives that may have been meant by an object of a result: if any declares one of its members, not
 * those whose members are all optional and that declare none. Without undeclared members, every object would fit such
 * an alternative. TypeScript calls it weak, and rejects the object.
 *
 * @example
 * const query: JsonSchema = { type: "object", properties: { page: {} } };
 * const user: JsonSchema = { type: "object", properties: { name: {} }, required: ["name"] };
 * filterRelated([query, user], { name: 5 }, scope) // [user]
 */
export function filterRelated(
  branches: readonly JsonSchema[],
  value: unknown,
  scope: Scope,
): readonly JsonSchema[] {
  if (!scope.isOfResult || !isObject(value)) return branches;
  const names = Object.keys(value);
  const isDeclaring = (branch: JsonSchema): boolean => {
    const shape = resolve(branch, scope.root);
    return names.some((name) => findMemberSchemas(shape, name).length > 0);
  };
  const declaring = new Set(branches.filter(isDeclaring));
  if (declaring.size === 0) return branches;
  return branches.filter((each) => declaring.has(each) || !isWeak(resolve(each, scope.root)));
}

function isWeak({ required, properties = {}, patternProperties, additionalProperties }: JsonSchema): boolean {
  const allowsAny = Object.keys(properties).length === 0 && patternProperties === undefined;
  return !required?.length && !(additionalProperties ?? allowsAny);
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

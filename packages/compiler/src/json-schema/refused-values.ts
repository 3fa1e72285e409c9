import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { problemsOf, reasonOf } from "./value-problems.js";
import { mapSchema, subschemasOf } from "./walk.js";

/** A default or an example that its own schema does not take. */
export interface RefusedValue {
  role: "default" | "example";
  value: JsonValue;
  /** Why, as a sentence of its own; absent where the type of the value is reason enough. */
  problem?: string;
  /** Names of properties, and `[]` for whatever else is inside of a schema; inside of a definition, from its name on. */
  path: readonly string[];
  schema: JsonSchema;
}

/**
 * The defaults and examples of a schema, and of all inside of it, that a server would refuse.
 *
 * @example
 * refusedValues({ type: "object", properties: { days: { type: "integer", default: 1.5 } } })
 * // [{ role: "default", value: 1.5, path: ["days"], … }]
 */
export function refusedValues(root: JsonSchema): RefusedValue[] {
  const defs = { ...root.$defs, ...(root.definitions as JsonSchema["$defs"]) };
  const visit = (schema: JsonSchema, path: readonly string[]): RefusedValue[] => {
    const { default: given, examples } = schema;
    const values = [
      ...(given === undefined ? [] : [{ role: "default", value: given } as const]),
      ...(Array.isArray(examples) ? examples.map((value) => ({ role: "example", value }) as const) : []),
    ];
    const refused = values.flatMap((each): RefusedValue[] => {
      const problems = problemsOf(each.value, { schema }, defs);
      if (problems.length === 0) return [];
      const problem = reasonOf(problems);
      return [{ ...each, ...(problem !== undefined && { problem }), path, schema }];
    });
    const inside = subschemasOf(schema).flatMap(({ keyword, key, schema: each }) => {
      if (keyword === "$defs") return visit(each, [String(key)]);
      if (keyword === "properties") return visit(each, [...path, String(key)]);
      const isPart = keyword.endsWith("tems") || keyword.endsWith("Properties");
      return visit(each, isPart ? [...path, "[]"] : path);
    });
    return [...refused, ...inside];
  };
  return visit(root, []);
}

/** The schema without the values that are refused. */
export function withoutValues(root: JsonSchema, refused: readonly RefusedValue[]): JsonSchema {
  if (refused.length === 0) return root;
  return mapSchema(root, (each) => {
    const { default: given, examples, ...rest } = each;
    const isRefused = (role: RefusedValue["role"], value: JsonValue): boolean =>
      refused.some((other) => other.role === role && other.value === value);
    const kept = examples?.filter((value) => !isRefused("example", value)) ?? [];
    const isDefaultKept = given !== undefined && !isRefused("default", given);
    if (isDefaultKept === (given !== undefined) && kept.length === (examples?.length ?? 0)) return each;
    return { ...rest, ...(isDefaultKept && { default: given }), ...(kept.length > 0 && { examples: kept }) };
  });
}

import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { findValueProblems, describeProblem } from "./value-problems.js";
import { mapSchema, listSubschemas } from "./walk.js";

/** A default or an example that its own schema rejects. */
export interface RejectedValue {
  role: "default" | "example";
  value: JsonValue;
  /** The reason, as a sentence. Absent if the expected type is the whole reason. */
  problem?: string;
  /** Property names, and `[]` for other nested schemas. Inside a definition, the path begins with its name. */
  path: readonly string[];
  schema: JsonSchema;
}

/**
 * Returns the defaults and examples in a schema, at any depth, that a server would reject.
 *
 * @example
 * findRejectedValues({ type: "object", properties: { days: { type: "integer", default: 1.5 } } })
 * // [{ role: "default", value: 1.5, path: ["days"], … }]
 */
export function findRejectedValues(root: JsonSchema): RejectedValue[] {
  const defs = { ...root.$defs, ...(root.definitions as JsonSchema["$defs"]) };
  const visit = (schema: JsonSchema, path: readonly string[]): RejectedValue[] => {
    const { default: defaultValue, examples } = schema;
    const values = [
      ...(defaultValue === undefined ? [] : [{ role: "default", value: defaultValue } as const]),
      ...(Array.isArray(examples) ? examples.map((value) => ({ role: "example", value }) as const) : []),
    ];
    const rejected = values.flatMap((each): RejectedValue[] => {
      const problems = findValueProblems(each.value, { schema }, defs);
      if (problems.length === 0) return [];
      const problem = describeProblem(problems);
      return [{ ...each, ...(problem !== undefined && { problem }), path, schema }];
    });
    const inside = listSubschemas(schema).flatMap(({ keyword, key, schema: each }) => {
      if (keyword === "$defs") return visit(each, [String(key)]);
      if (keyword === "properties") return visit(each, [...path, String(key)]);
      const isPart = keyword.endsWith("tems") || keyword.endsWith("Properties");
      return visit(each, isPart ? [...path, "[]"] : path);
    });
    return [...rejected, ...inside];
  };
  return visit(root, []);
}

/** Returns the schema without the rejected values. */
export function withoutRejectedValues(root: JsonSchema, rejected: readonly RejectedValue[]): JsonSchema {
  if (rejected.length === 0) return root;
  return mapSchema(root, (each) => {
    const { default: defaultValue, examples, ...rest } = each;
    const isRejected = (role: RejectedValue["role"], value: JsonValue): boolean =>
      rejected.some((other) => other.role === role && other.value === value);
    const remaining = examples?.filter((value) => !isRejected("example", value)) ?? [];
    const hasDefault = defaultValue !== undefined && !isRejected("default", defaultValue);
    if (hasDefault === (defaultValue !== undefined) && remaining.length === (examples?.length ?? 0))
      return each;
    return {
      ...rest,
      ...(hasDefault && { default: defaultValue }),
      ...(remaining.length > 0 && { examples: remaining }),
    };
  });
}

import type { JsonSchema, ToolEntry } from "@tenon/runtime/manifest";
import { listSubschemas } from "../json-schema/walk.js";

/**
 * Lists the constraints that the server validates but the listed schema omits, because some clients reject the keywords:
 * patterns for the names of properties, and patterns with Unicode classes.
 *
 * @returns one sentence for each constraint, which begins with the path
 * @example
 * listServerOnlyConstraints(entry) // ["`scores`: names must match ^\\d+$"]
 */
export function listServerOnlyConstraints({ definition, input }: ToolEntry): string[] {
  if (!input.schema) return [];
  const listed = JSON.stringify(definition.inputSchema);
  const isListed = (pattern: string): boolean => listed.includes(JSON.stringify(pattern));
  const visit = (schema: JsonSchema, path: readonly string[]): string[] => {
    const subject = path.length === 0 ? "the arguments" : `\`${path.join(" → ")}\``;
    const named = listSubschemas(schema).flatMap(({ keyword, schema: each }) =>
      keyword === "propertyNames" && each.pattern !== undefined ? [each.pattern] : [],
    );
    const names = [...Object.keys(schema.patternProperties ?? {}), ...named].filter(
      (each) => !isListed(each),
    );
    const { pattern } = schema;
    return [
      ...(names.length > 0 ? [`${subject}: names must match ${names.join(" or ")}`] : []),
      ...(pattern !== undefined && !isListed(pattern) ? [`${subject}: must match ${pattern}`] : []),
      ...listSubschemas(schema).flatMap(({ keyword, key, schema: each }) =>
        keyword === "propertyNames" ? [] : visit(each, appendStep(path, keyword, key)),
      ),
    ];
  };
  return [...new Set(visit(input.schema, []))];
}

function appendStep(
  path: readonly string[],
  keyword: string,
  key: string | number | undefined,
): readonly string[] {
  if (keyword === "properties") return [...path, String(key)];
  if (keyword === "$defs") return [String(key)];
  if (keyword === "prefixItems") return [...path, `[${key}]`];
  if (keyword === "items") return [...path, "[]"];
  return keyword.endsWith("Properties") ? [...path, "[key]"] : path;
}

import type { JsonSchema, ToolEntry } from "@tenon/runtime/manifest";
import { subschemasOf } from "../json-schema/walk.js";

/**
 * What the server checks of arguments beyond what the listed schema says, because not every client takes the keywords
 * for it: patterns of the names of members, and patterns with Unicode classes.
 *
 * @returns a sentence each, beginning with the place
 * @example
 * checkedOnly(entry) // ["`scores`: names must match ^\\d+$"]
 */
export function checkedOnly({ definition, input }: ToolEntry): string[] {
  if (!input.schema) return [];
  const listed = JSON.stringify(definition.inputSchema);
  const isListed = (pattern: string): boolean => listed.includes(JSON.stringify(pattern));
  const visit = (schema: JsonSchema, path: readonly string[]): string[] => {
    const place = path.length === 0 ? "the arguments" : `\`${path.join(" → ")}\``;
    const named = subschemasOf(schema).flatMap(({ keyword, schema: each }) =>
      keyword === "propertyNames" && each.pattern !== undefined ? [each.pattern] : [],
    );
    const names = [...Object.keys(schema.patternProperties ?? {}), ...named].filter(
      (each) => !isListed(each),
    );
    const { pattern } = schema;
    return [
      ...(names.length > 0 ? [`${place}: names must match ${names.join(" or ")}`] : []),
      ...(pattern !== undefined && !isListed(pattern) ? [`${place}: must match ${pattern}`] : []),
      ...subschemasOf(schema).flatMap(({ keyword, key, schema: each }) =>
        keyword === "propertyNames" ? [] : visit(each, inside(path, keyword, key)),
      ),
    ];
  };
  return [...new Set(visit(input.schema, []))];
}

function inside(
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

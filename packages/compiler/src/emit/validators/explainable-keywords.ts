import { EXPLAINED_KEYWORDS } from "@tenon/runtime/value-problems";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { isAnnotation, keyword } from "../../json-schema/keywords.js";

/**
 * True when the runtime finds every problem of a refused value from the schema alone, so that the validator need
 * only say yes or no. False for the rarer keywords of schemas that authors write themselves.
 */
export function isExplained(schema: JsonSchema): boolean {
  const { $defs = {}, $schema: _dialect, ...root } = schema;
  const isTarget = (reference: string): boolean => {
    const name = /^#\/\$defs\/([\w.-]+)$/.exec(reference)?.[1];
    return reference === "#" || (name !== undefined && Object.hasOwn($defs, name));
  };
  return [root, ...Object.values($defs)].every((each) => isKnown(each, isTarget));
}

function isKnown(schema: unknown, isTarget: (reference: string) => boolean): boolean {
  if (!isObject(schema)) return false;
  return Object.entries(schema).every(([name, value]) => {
    if (isAnnotation(name)) return true;
    if (!EXPLAINED_KEYWORDS.has(name)) return false;
    if (name === "$ref") return typeof value === "string" && isTarget(value);
    switch (keyword(name)?.holds) {
      case "schema":
        return typeof value === "boolean" || isKnown(value, isTarget);
      case "list":
        return Array.isArray(value) && value.every((each) => isKnown(each, isTarget));
      case "map":
        return isObject(value) && Object.values(value).every((each) => isKnown(each, isTarget));
      default:
        return true;
    }
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { JsonSchema } from "@tenon/runtime/manifest";

/** Keywords that the runtime can hold against a value itself, to say what is wrong with one that was refused. */
const KNOWN = new Set(
  (
    "type enum const maximum minimum exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength pattern " +
    "format maxItems minItems uniqueItems maxProperties minProperties required"
  ).split(" "),
);

/** Keywords that say nothing about which values fit. */
const ANNOTATIONS = new Set(
  "title description examples default deprecated readOnly writeOnly contentEncoding contentMediaType $comment".split(
    " ",
  ),
);

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
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  return Object.entries(schema).every(([keyword, value]: [string, unknown]) => {
    switch (keyword) {
      case "$ref":
        return typeof value === "string" && isTarget(value);
      case "items":
      case "additionalProperties":
        return typeof value === "boolean" || isKnown(value, isTarget);
      case "anyOf":
      case "oneOf":
      case "allOf":
      case "prefixItems":
        return Array.isArray(value) && value.every((each) => isKnown(each, isTarget));
      case "properties":
      case "patternProperties":
        return (
          typeof value === "object" &&
          value !== null &&
          Object.values(value).every((each) => isKnown(each, isTarget))
        );
      default:
        return KNOWN.has(keyword) || isAnnotation(keyword);
    }
  });
}

/** True for what has no say in which values fit. */
function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}

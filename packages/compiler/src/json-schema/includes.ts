import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";

/** The keywords whose meanings are compared. Other keywords of the wide schema must be equal in the narrow one. */
const COMPARED = new Set([
  ...["type", "enum", "anyOf", "items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
  ...["properties", "required", "additionalProperties"],
]);

/**
 * Returns whether a schema certainly accepts every value that another one accepts. Neither may have annotations.
 *
 * @example
 * includes({ type: "string" }, { type: "string", format: "date-time" }) // true
 */
export function includes(wide: JsonSchema, narrow: JsonSchema): boolean {
  if (Object.keys(wide).length === 0) return true;
  if (narrow.anyOf) return narrow.anyOf.every((each) => includes(wide, each));
  if (wide.anyOf) return wide.anyOf.some((each) => includes(each, narrow));
  const types = listTypes(wide);
  if (!narrow.type || !listTypes(narrow).every((each) => types.includes(each))) return false;
  if (wide.enum && !narrow.enum?.every((value) => wide.enum?.includes(value))) return false;
  const others = Object.entries(wide).filter(([keyword]) => !COMPARED.has(keyword));
  const narrowKeywords = narrow as Readonly<Record<string, unknown>>;
  if (!others.every(([keyword, value]) => JSON.stringify(narrowKeywords[keyword]) === JSON.stringify(value)))
    return false;
  return includesItems(wide, narrow) && includesMembers(wide, narrow);
}

function listTypes({ type = [] }: JsonSchema): readonly JsonTypeName[] {
  const types = [type].flat();
  return types.includes("number") ? [...types, "integer"] : types;
}

/** Compares the items of arrays. Ignores `uniqueItems`, because authors do not declare a list as an alternative to a set. */
function includesItems(wide: JsonSchema, narrow: JsonSchema): boolean {
  if (!listTypes(narrow).includes("array")) return true;
  if (wide.prefixItems || (wide.minItems ?? 0) > (narrow.minItems ?? 0)) return false;
  if ((wide.maxItems ?? Infinity) < (narrow.maxItems ?? Infinity)) return false;
  const items = [...(narrow.prefixItems ?? []), narrow.items ?? {}];
  return wide.items === undefined || items.every((each) => includesPart(wide.items, each));
}

function includesMembers(wide: JsonSchema, narrow: JsonSchema): boolean {
  if (!listTypes(narrow).includes("object")) return true;
  const { properties = {}, required = [], additionalProperties: others } = wide;
  if (!required.every((name) => narrow.required?.includes(name))) return false;
  const own = narrow.properties ?? {};
  if (
    Object.keys(properties).some((name) => !Object.hasOwn(own, name) && narrow.additionalProperties !== false)
  )
    return false;
  return (
    includesPart(others, narrow.additionalProperties) &&
    Object.entries(own).every(([name, each]) =>
      includesPart(Object.hasOwn(properties, name) ? properties[name] : others, each),
    )
  );
}

type Part = JsonSchema | boolean | undefined;

/** Compares parts, for which `undefined` and `true` accept everything, and `false` nothing. */
function includesPart(wide: Part, narrow: Part): boolean {
  if (wide === undefined || wide === true || narrow === false) return true;
  if (wide === false || typeof narrow !== "object") return false;
  return includes(wide, narrow);
}

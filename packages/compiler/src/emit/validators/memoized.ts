/**
 * Validators of types that refer to themselves through alternatives, such as `{ next?: T; a?: 1 } | { next?: T }`.
 * Each alternative asks about the same member, and so does each of its own: what is nested thirty deep would be
 * looked at a billion times. So what has been found out about a value is remembered until the outermost is done.
 * @module
 */
import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { schemasIn } from "../../json-schema/walk.js";

/** True when a schema with references may hold a value against the same definition more than once. */
export function asksTwice(schema: JsonSchema): boolean {
  return schemasIn(schema).some((each) => {
    const { anyOf = [], oneOf = [], allOf = [] } = each;
    const isShared = (type: JsonTypeName): boolean =>
      [anyOf, oneOf].some((branches) => branches.filter((branch) => mayBe(branch, type)).length > 1);
    if (allOf.length > 1 || isShared("object") || isShared("array")) return true;
    return WAYS.filter((keywords) => keywords.some((keyword) => keyword in each)).length > 1;
  });
}

/** Each by itself looks at the parts of a value, or leads to what does. */
const WAYS = [
  ["properties", "additionalProperties", "prefixItems", "items"],
  ["patternProperties"],
  ["$ref"],
  ["anyOf"],
  ["oneOf"],
  ["allOf"],
] as const;

function mayBe({ type }: JsonSchema, wanted: JsonTypeName): boolean {
  return type === undefined || [type].flat().includes(wanted);
}

/**
 * ajv calls a root that refers to itself in a way of its own, which nothing can step into: here, by a definition.
 *
 * @param text the same schema as JSON
 */
export function withNamedRoot(schema: JsonSchema, text: string): { whole: JsonSchema; rootName?: string } {
  if (!/"\$ref":"#\/?"/.test(text)) return { whole: schema };
  const { $defs = {}, ...root } = schema;
  let rootName = "root";
  while (Object.hasOwn($defs, rootName)) rootName += "_";
  return { whole: { $ref: `#/$defs/${rootName}`, $defs: { ...$defs, [rootName]: root } }, rootName };
}

/** Where ajv lets a function call one that is not finished yet: there is no other way around in a circle. */
const CIRCLE = /^const ((?:wrapper|root)\d+) = \{validate: (validate\d+)\};$/gm;

/** @param code validators that only say yes or no */
export function remembering(code: string): string {
  return code.replaceAll(CIRCLE, "const $1 = {validate: remembered($2)};");
}

/** @param code validators that report errors, whose root does not refer to itself */
export function rememberingReports(code: string): string {
  return code.replaceAll(CIRCLE, "const $1 = {validate: rememberedReports($2)};");
}

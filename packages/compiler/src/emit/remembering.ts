/**
 * Validators of types that refer to themselves through alternatives, such as `{ next?: T; a?: 1 } | { next?: T }`.
 * Each alternative asks about the same member, and so does each of its own: what is nested thirty deep would be
 * looked at a billion times. So what has been found out about a value is remembered until the outermost is done.
 * @module
 */
import type { JsonSchema } from "@tenon/runtime/manifest";
import { mapSchema } from "./map-schema.js";

/** True when a value may be held against the same definition more than once. */
export function asksTwice(schema: JsonSchema): boolean {
  if (!JSON.stringify(schema).includes('"$ref":')) return false;
  let found = false;
  mapSchema(schema, (each) => {
    for (const branches of [each.anyOf, each.oneOf]) {
      const ofType = (type: string): number =>
        (branches ?? []).filter((branch) => mayBe(branch, type)).length;
      if (ofType("object") > 1 || ofType("array") > 1) found = true;
    }
    if ((each.allOf ?? []).length > 1) found = true;
    return each;
  });
  return found;
}

function mayBe({ type }: JsonSchema, wanted: string): boolean {
  return type === undefined || [type].flat().some((each) => each === wanted);
}

/** Where ajv lets a function call one that is not finished yet: there is no other way around in a circle. */
const CIRCLE = /^const (wrapper\d+) = \{validate: (validate\d+)\};$/gm;

/** @param code validators that only say yes or no */
export function remembering(code: string): string {
  return code.replaceAll(CIRCLE, "const $1 = {validate: remembered($2)};");
}

import type { JsonSchema } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readNumber, readPattern } from "../../jsdoc/tag-values.js";
import { bothPatterns } from "../../json-schema/both-patterns.js";
import { formatType, isKnownFormat, nearestFormat } from "../../json-schema/formats.js";
import {
  ARRAYS,
  constrain,
  invalid,
  NUMBERS,
  rangeOf,
  STRINGS,
  type Constraint,
  type FittingTypes,
} from "./constraint.js";

/** `@minimum 1` and the others that take a number. */
export const numeric: Constraint = (schema, tag, target, fragment) => {
  const value = readNumber(tag.text);
  if (value === undefined || (tag.name === "multipleOf" && value <= 0)) {
    return invalid(schema, tag, target, tag.name === "multipleOf" ? "a number above 0" : "a number");
  }
  return constrain(schema, NUMBERS, { [tag.name]: value }, tag, target, fragment);
};

/** `@minLength 1` and the others that count characters or items. */
export function counting(types: FittingTypes): Constraint {
  return (schema, tag, target, fragment) => {
    const value = readNumber(tag.text);
    if (value === undefined || value < 0 || !Number.isInteger(value)) {
      return invalid(schema, tag, target, "a whole number from 0");
    }
    return constrain(schema, types, { [tag.name]: value }, tag, target, fragment);
  };
}

export const uniqueItems: Constraint = (schema, tag, target, fragment) =>
  constrain(schema, ARRAYS, { uniqueItems: true }, tag, target, fragment);

/** Also on the number of a union: `number | "auto"`. */
export const integer: Constraint = (schema, tag, target, fragment) => {
  const narrow = (branch: JsonSchema): JsonSchema => {
    const names = [branch.type ?? []].flat().map((name) => (name === "number" ? "integer" : name));
    const [only] = names;
    return { type: names.length === 1 && only ? only : names };
  };
  return constrain(schema, NUMBERS, narrow, tag, target, fragment);
};

export const pattern: Constraint = (schema, tag, target, fragment) => {
  const value = readPattern(tag.text);
  if (value === undefined) return invalid(schema, tag, target, "a regular expression without flags");
  // A template literal type has a pattern already, and both must hold.
  const both = (branch: JsonSchema): JsonSchema => ({
    pattern: branch.pattern === undefined ? value : bothPatterns(value, branch.pattern),
  });
  return constrain(schema, STRINGS, both, tag, target, fragment);
};

export const format: Constraint = (schema, tag, target, fragment) => {
  const name = formatName(tag);
  if (!/^[\w.+-]+$/.test(name)) return invalid(schema, tag, target, "the name of a format, such as `email`");
  if (!isKnownFormat(name)) {
    const nearest = nearestFormat(name);
    target.report("constraint-format-unknown", rangeOf(tag), {
      format: name,
      ...(nearest && { nearest }),
    });
  }
  const types = formatType(name) === "number" ? NUMBERS : STRINGS;
  return constrain(schema, types, { format: name }, tag, target, fragment);
};

/** In quotes or not. */
export function formatName({ text }: DocTag): string {
  return text.replaceAll(/^[`"']|[`"']$/g, "");
}

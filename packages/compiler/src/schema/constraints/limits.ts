import type { JsonSchema } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readNumber, readPattern } from "../../jsdoc/tag-values.js";
import { intersectPatterns } from "../../json-schema/intersect-patterns.js";
import { findKeyword, KEYWORDS, type LimitName, LIMITS } from "../../json-schema/keywords.js";
import { getFormatType, isKnownFormat, findNearestFormat } from "../../json-schema/formats.js";
import {
  ARRAYS,
  constrain,
  canConstrain,
  reportInvalid,
  NUMBERS,
  getTagRange,
  STRINGS,
  type Constraint,
  type FittingTypes,
} from "./constraint.js";

/** Applies `@minimum 1` and the other tags with a number. */
const numeric: Constraint = (schema, tag, target, fragment) => {
  const value = readNumber(tag.text);
  const isPositive = findKeyword(tag.name)?.data === "positive";
  const isInvalid = value === undefined || (isPositive && value <= 0);
  if (isInvalid && canConstrain(schema, NUMBERS, fragment))
    return reportInvalid(schema, tag, target, isPositive ? "a number above 0" : "a number");
  // A type that does not fit is reported, whatever the value is.
  return constrain(schema, NUMBERS, { [tag.name]: value }, tag, target, fragment);
};

/** Returns the constraint of tags such as `@minLength 1`, which limit a number of characters or items. */
function createCountConstraint(types: FittingTypes): Constraint {
  return (schema, tag, target, fragment) => {
    const value = readNumber(tag.text);
    const isInvalid = value === undefined || value < 0 || !Number.isInteger(value);
    if (isInvalid && canConstrain(schema, types, fragment))
      return reportInvalid(schema, tag, target, "a whole number of at least 0");
    // The type of a tuple limits its length too. The narrower limit applies.
    const limit = ({ prefixItems, minItems = 0, maxItems = Infinity }: JsonSchema): JsonSchema => ({
      [tag.name]:
        prefixItems === undefined || value === undefined
          ? value
          : tag.name === "minItems"
            ? Math.max(minItems, value)
            : Math.min(maxItems, value),
    });
    return constrain(schema, types, limit, tag, target, fragment);
  };
}

/** Applies `@uniqueItems`. */
const flag: Constraint = (schema, tag, target, fragment) =>
  isFlagWithText(tag)
    ? reportInvalid(schema, tag, target, "nothing after it")
    : constrain(schema, ARRAYS, { [tag.name]: true }, tag, target, fragment);

/** Returns whether text follows a tag without a value, such as `@uniqueItems false`, which would mean the opposite. */
export function isFlagWithText({ text }: DocTag): boolean {
  return text !== "" && text !== "true";
}

/** Applies `@integer`, even to the number in a union such as `number | "auto"`. */
export const integer: Constraint = (schema, tag, target, fragment) => {
  if (isFlagWithText(tag)) return reportInvalid(schema, tag, target, "nothing after it");
  const narrow = (branch: JsonSchema): JsonSchema => {
    const names = [branch.type ?? []].flat().map((name) => (name === "number" ? "integer" : name));
    const [only] = names;
    return { type: names.length === 1 && only ? only : names };
  };
  return constrain(schema, NUMBERS, narrow, tag, target, fragment);
};

const pattern: Constraint = (schema, tag, target, fragment) => {
  const value = readPattern(tag.text);
  if (value === undefined) return reportInvalid(schema, tag, target, "a regular expression without flags");
  if (hasTextAfterEnd(value))
    return reportInvalid(schema, tag, target, "nothing after the `$` of its pattern");
  // A template literal type already has a pattern. Both must match.
  const both = (branch: JsonSchema): JsonSchema => ({
    pattern: branch.pattern === undefined ? value : intersectPatterns(value, branch.pattern),
  });
  return constrain(schema, STRINGS, both, tag, target, fragment);
};

/** Returns whether a character follows `$`, as in `^[a-z]+$ Lowercase letters`, which no text matches. */
function hasTextAfterEnd(value: string): boolean {
  const bare = value.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "x");
  return /\$[^$^|()?*+{}](?![?*{])/.test(bare);
}

const format: Constraint = (schema, tag, target, fragment) => {
  const name = getFormatName(tag);
  if (!/^[\w.+-]+$/.test(name))
    return reportInvalid(schema, tag, target, "the name of a format, such as `email`");
  const types = getFormatType(name) === "number" ? NUMBERS : STRINGS;
  if (!isKnownFormat(name) && canConstrain(schema, types, fragment)) {
    const nearest = findNearestFormat(name);
    target.report("constraint-format-unknown", getTagRange(tag), {
      format: name,
      ...(nearest && { nearest }),
    });
  }
  return constrain(schema, types, { format: name }, tag, target, fragment);
};

/** The constraint for each kind of keyword data, except counts. */
const BY_DATA = {
  number: numeric,
  positive: numeric,
  pattern,
  text: format,
  flag,
};

/** The constraint of each keyword that limits values. */
export const LIMIT_CONSTRAINTS = Object.fromEntries(
  LIMITS.map((name) => {
    const { data, of } = KEYWORDS[name];
    return [
      name,
      data === "count" ? createCountConstraint(of[0] === "string" ? STRINGS : ARRAYS) : BY_DATA[data],
    ];
  }),
) as Record<LimitName, Constraint>;

/** Returns the name of a format without quotation marks. */
export function getFormatName({ text }: DocTag): string {
  return text.replaceAll(/^[`"']|[`"']$/g, "");
}

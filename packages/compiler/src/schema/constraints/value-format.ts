import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { mapSchema } from "../../json-schema/walk.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { getFormatName } from "./limits.js";
import { getTagRange, type Target } from "./constraint.js";

/** The formats that a `Date` may have, with the conversion kind of each. */
const DATE_FORMATS = { "date-time": "date", date: "day" } as const;

/** Formats that the conversion kind already implies. */
const IMPLIED_FORMATS: Readonly<Partial<Record<Conversion["kind"], readonly string[]>>> = {
  url: ["uri", "url"],
  bytes: ["byte", "base64"],
  regexp: ["regex"],
};

/**
 * Applies a `@format` to a value that JSON represents as a string: a `Date` may be a date without a time.
 *
 * @returns undefined for all other values
 */
export function applyValueFormat(
  fragment: SchemaFragment,
  tag: DocTag,
  { type, site, derivation, report }: Target,
): SchemaFragment | undefined {
  const { schema, conversion } = fragment;
  const format = getFormatName(tag);
  const kinds = getConversionKinds(conversion);
  if (kinds.some((kind) => IMPLIED_FORMATS[kind]?.includes(format))) return fragment;
  if (!conversion || !kinds.some((kind) => kind === "date" || kind === "day")) return undefined;
  if (!isDateFormat(format)) {
    const [where, shown] = [derivation.describeSite(site), derivation.formatType(type)];
    report("constraint-date-format", getTagRange(tag), { format, where, type: shown });
    return fragment;
  }
  const withFormat = (each: JsonSchema): JsonSchema =>
    each.format !== undefined && isDateFormat(each.format) ? { ...each, format } : each;
  return {
    schema: schema.anyOf
      ? { ...schema, anyOf: schema.anyOf.map((each) => withFormat(each)) }
      : withFormat(schema),
    conversion: withKind(conversion, DATE_FORMATS[format], withFormat),
  };
}

function isDateFormat(name: string): name is keyof typeof DATE_FORMATS {
  return Object.hasOwn(DATE_FORMATS, name);
}

/** Returns the conversion kinds of the value, or of the alternatives of a union. */
function getConversionKinds(conversion: Conversion | undefined): Conversion["kind"][] {
  if (!conversion) return [];
  if (conversion.kind !== "union") return [conversion.kind];
  return conversion.branches.flatMap(({ convert }) => (convert ? [convert.kind] : []));
}

function withKind(
  conversion: Conversion,
  kind: "date" | "day",
  withFormat: (schema: JsonSchema) => JsonSchema,
): Conversion {
  if (conversion.kind === "date" || conversion.kind === "day") return { kind };
  if (conversion.kind !== "union") return conversion;
  return {
    kind: "union",
    branches: conversion.branches.map(({ when, convert }) => ({
      when: mapSchema(when, withFormat),
      convert: convert && withKind(convert, kind, withFormat),
    })),
  };
}

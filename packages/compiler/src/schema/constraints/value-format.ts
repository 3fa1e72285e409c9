import type { Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { mapSchema } from "../../json-schema/walk.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { formatName } from "./limits.js";
import { rangeOf, type Target } from "./constraint.js";

/** The formats that a `Date` may have: what stands for it then, and what JSON does. */
const DATE_FORMATS = { "date-time": "date", date: "day" } as const;

/** Formats that say no more than the type. */
const OWN_FORMATS: Readonly<Partial<Record<Conversion["kind"], readonly string[]>>> = {
  url: ["uri", "url"],
  bytes: ["byte", "base64"],
  regexp: ["regex"],
};

/**
 * A fragment with a `@format` for values that JSON writes as strings: a `Date` may be a date alone.
 *
 * @returns undefined for all others
 */
export function valueFormat(
  fragment: SchemaFragment,
  tag: DocTag,
  { type, site, derivation, report }: Target,
): SchemaFragment | undefined {
  const { schema, conversion } = fragment;
  const format = formatName(tag);
  const kinds = scalarsOf(conversion);
  if (kinds.some((kind) => OWN_FORMATS[kind]?.includes(format))) return fragment;
  if (!conversion || !kinds.some((kind) => kind === "date" || kind === "day")) return undefined;
  if (!isDateFormat(format)) {
    const [where, shown] = [derivation.where(site), derivation.show(type)];
    report("constraint-date-format", rangeOf(tag), { format, where, type: shown });
    return fragment;
  }
  const formatted = (each: JsonSchema): JsonSchema =>
    each.format !== undefined && isDateFormat(each.format) ? { ...each, format } : each;
  return {
    schema: schema.anyOf
      ? { ...schema, anyOf: schema.anyOf.map((each) => formatted(each)) }
      : formatted(schema),
    conversion: withKind(conversion, DATE_FORMATS[format], formatted),
  };
}

function isDateFormat(name: string): name is keyof typeof DATE_FORMATS {
  return Object.hasOwn(DATE_FORMATS, name);
}

/** The kinds of the value itself, and of the alternatives of a union. */
function scalarsOf(conversion: Conversion | undefined): Conversion["kind"][] {
  if (!conversion) return [];
  if (conversion.kind !== "union") return [conversion.kind];
  return conversion.branches.flatMap(({ convert }) => (convert ? [convert.kind] : []));
}

function withKind(
  conversion: Conversion,
  kind: "date" | "day",
  formatted: (schema: JsonSchema) => JsonSchema,
): Conversion {
  if (conversion.kind === "date" || conversion.kind === "day") return { kind };
  if (conversion.kind !== "union") return conversion;
  return {
    kind: "union",
    branches: conversion.branches.map(({ when, convert }) => ({
      when: mapSchema(when, formatted),
      convert: convert && withKind(convert, kind, formatted),
    })),
  };
}

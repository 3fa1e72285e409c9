import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@tenon/runtime/manifest";
import {
  createChange,
  createFewerAndMore,
  type CompareKeywords,
  type Location,
  type SchemaChange,
  type SchemaPair,
} from "./schema-change.js";

/** Compares `type`. A schema with an `enum` and no `type` is compared by its values. */
export const compareTypes: CompareKeywords = ({ before, after, ...at }) => {
  const [earlier, current] = [getTypes(before), getTypes(after)];
  if (earlier === undefined || current === undefined) {
    const values = getValues(earlier === undefined ? before : after);
    const others = values?.filter((value) => !isOfTypes(value, earlier ?? current)) ?? [];
    if (values) return createLostAndGained(earlier ? [] : others, earlier ? others : [], formatValues, at);
    return earlier
      ? [createChange("more", at, "can now be any value")]
      : [createChange("fewer", at, `can now only be ${formatTypes(current ?? [])}`)];
  }
  const fits = (type: string, types: readonly string[]): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return createLostAndGained(
    earlier.filter((type) => !fits(type, current)),
    current.filter((type) => !fits(type, earlier)),
    formatTypes,
    at,
  );
};

/** Compares `const` and `enum`. */
export const compareValues: CompareKeywords = ({ before, after, ...at }) => {
  const [earlier, current] = [getValues(before), getValues(after)];
  if (earlier === undefined) {
    const gained = (current ?? []).filter((value) => !isOfTypes(value, getTypes(before)));
    return [
      createChange("fewer", at, `can now only be ${formatValues(current ?? [])}`),
      ...createLostAndGained([], gained, formatValues, at),
    ];
  }
  if (current === undefined) {
    const lost = earlier.filter((value) => !isOfTypes(value, getTypes(after)));
    return [
      createChange("more", at, `is no longer limited to ${formatValues(earlier)}`),
      ...createLostAndGained(lost, [], formatValues, at),
    ];
  }
  return createLostAndGained(findMissing(current, earlier), findMissing(earlier, current), formatValues, at);
};

/** Compares keywords such as `minimum`: a higher limit allows fewer values. */
export const compareLowerLimits: CompareKeywords = (pair, keywords) =>
  keywords.flatMap((keyword) => compareLimit(pair, keyword, (earlier, current) => current > earlier));

/** Compares keywords such as `maximum`: a lower limit allows fewer values. */
export const compareUpperLimits: CompareKeywords = (pair, keywords) =>
  keywords.flatMap((keyword) => compareLimit(pair, keyword, (earlier, current) => current < earlier));

function compareLimit(
  { before, after, ...at }: SchemaPair,
  keyword: string,
  isTighter: (earlier: number, current: number) => boolean,
): SchemaChange[] {
  const [earlier, current] = [readLimit(before, keyword), readLimit(after, keyword)];
  if (earlier === current) return [];
  // `exclusiveMinimum: 0` allows fewer values than `minimum: 0`.
  const includes = (schema: JsonSchema, limit: number | undefined): boolean => {
    const other = schema[PARTNERS[keyword] ?? ""];
    if (typeof other !== "number" || limit === undefined) return false;
    return isTighter(limit, other) || (limit === other && !keyword.startsWith("exclusive"));
  };
  if (current === undefined)
    return includes(after, earlier)
      ? []
      : [createChange("more", at, `no longer has the \`${keyword}\` ${earlier}`)];
  if (earlier === undefined)
    return includes(before, current)
      ? []
      : [createChange("fewer", at, `now has the \`${keyword}\` ${current}`)];
  const message = `has the \`${keyword}\` ${current} (before: ${earlier})`;
  return [createChange(isTighter(earlier, current) ? "fewer" : "more", at, message)];
}

/** Reads a limit. Sizes are never negative, so a least size of 0 excludes nothing. */
function readLimit(schema: JsonSchema, keyword: string): number | undefined {
  const limit = schema[keyword] as number | undefined;
  return limit === 0 && /^min[A-Z]/.test(keyword) ? undefined : limit;
}

/** The limits of numbers, by the one with the other meaning of the same number. */
const PARTNERS: Readonly<Record<string, string>> = {
  minimum: "exclusiveMinimum",
  exclusiveMinimum: "minimum",
  maximum: "exclusiveMaximum",
  exclusiveMaximum: "maximum",
};

/** Compares keywords such as `pattern`, whose values cannot be compared. */
export const compareRules: CompareKeywords = ({ before, after, ...at }, keywords) =>
  keywords.flatMap((keyword) => {
    const [earlier, current] = [before[keyword] ?? false, after[keyword] ?? false];
    if (earlier === current) return [];
    if (earlier === false)
      return [createChange("fewer", at, `now has the \`${keyword}\` ${formatValue(current)}`)];
    if (current === false)
      return [createChange("more", at, `no longer has the \`${keyword}\` ${formatValue(earlier)}`)];
    const message = `has the \`${keyword}\` ${formatValue(current)} (before: ${formatValue(earlier)})`;
    if (isMultiple(earlier, current)) return [createChange("more", at, message)];
    if (isMultiple(current, earlier)) return [createChange("fewer", at, message)];
    return createFewerAndMore(at, message);
  });

/** Returns whether a value is a multiple of another: of `multipleOf`, the only rule whose value is a number. */
function isMultiple(value: unknown, factor: unknown): boolean {
  return typeof value === "number" && typeof factor === "number" && value % factor === 0;
}

/** Compares the keywords that describe a value to models and people. */
export const compareAnnotations: CompareKeywords = (at, keywords) => [
  createChange("wording", at, `has a different ${keywords.map((each) => `\`${each}\``).join(" and ")}`),
];

/** Compares `x-mcp-header`: clients over HTTP repeat the value in this header, and calls without it are rejected. */
export const compareHeaders: CompareKeywords = ({ before, after, ...at }) => {
  const [earlier, current] = [before["x-mcp-header"], after["x-mcp-header"]];
  return current === undefined
    ? [createChange("more", at, `is no longer sent in the header \`Mcp-Param-${String(earlier)}\``)]
    : [createChange("fewer", at, `must now also be sent in the header \`Mcp-Param-${String(current)}\``)];
};

/**
 * Compares `x-mcp-file`, whose accepted types clients must respect, and `contentMediaType`, which repeats the only type. The
 * size of a file is not compared here, because the keyword `maxLength` repeats it.
 */
export const compareFileTypes: CompareKeywords = ({ before, after, ...at }) => {
  if (before["x-mcp-file"] === undefined && after["x-mcp-file"] === undefined)
    return createFewerAndMore(
      at,
      `has the \`contentMediaType\` ${formatValue(after.contentMediaType ?? null)}`,
    );
  const [earlier, current] = [before, after].map((schema) => {
    const { accept } = (schema["x-mcp-file"] ?? {}) as { accept?: readonly string[] };
    return accept;
  });
  const accepts = (types: readonly string[] | undefined, type: string): boolean =>
    types === undefined || types.includes(type) || types.includes(type.replace(/\/.*/, "/*"));
  const isNarrower =
    current !== undefined && (earlier === undefined || !earlier.every((type) => accepts(current, type)));
  const isWider =
    earlier !== undefined && (current === undefined || !current.every((type) => accepts(earlier, type)));
  const message = `accepts files of ${current === undefined ? "all types" : `type ${current.join(", ")}`}`;
  return [
    ...(isNarrower ? [createChange("fewer", at, message)] : []),
    ...(isWider ? [createChange("more", at, message)] : []),
  ];
};

/** Compares `default`. */
export const compareDefaults: CompareKeywords = ({ before, after, ...at }) => [
  createChange(
    "default",
    at,
    `has the default ${formatValue(after.default)} (before: ${formatValue(before.default)})`,
  ),
];

function createLostAndGained<Value>(
  lost: readonly Value[],
  gained: readonly Value[],
  list: (values: readonly Value[]) => string,
  at: Location,
): SchemaChange[] {
  return [
    ...(lost.length > 0 ? [createChange("fewer", at, `can no longer be ${list(lost)}`)] : []),
    ...(gained.length > 0 ? [createChange("more", at, `can also be ${list(gained)}`)] : []),
  ];
}

/** Returns the items that are not in `others`. */
export function findMissing<Value>(others: readonly Value[], items: readonly Value[]): Value[] {
  return items.filter((item) => !others.some((other) => isDeepStrictEqual(other, item)));
}

function getTypes({ type }: JsonSchema): readonly string[] | undefined {
  return type === undefined ? undefined : [type].flat();
}

function getValues(schema: JsonSchema): readonly unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

function isOfTypes(value: unknown, types: readonly string[] | undefined): boolean {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (types === undefined || types.includes(type)) return true;
  return type === "number" && types.includes("integer") && Number.isInteger(value);
}

function formatTypes(types: readonly string[]): string {
  return types.join(" or ");
}

function formatValues(items: readonly unknown[]): string {
  return items.map((each) => JSON.stringify(each)).join(", ");
}

function formatValue(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

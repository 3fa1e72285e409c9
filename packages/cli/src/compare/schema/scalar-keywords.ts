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
  const [was, is] = [getTypes(before), getTypes(after)];
  if (was === undefined || is === undefined) {
    const values = getValues(was === undefined ? before : after);
    const others = values?.filter((value) => !isOfTypes(value, was ?? is)) ?? [];
    if (values) return createLostAndGained(was ? [] : others, was ? others : [], formatValues, at);
    return was
      ? [createChange("more", at, "can now be any value")]
      : [createChange("fewer", at, `can now only be ${formatTypes(is ?? [])}`)];
  }
  const fits = (type: string, types: readonly string[]): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return createLostAndGained(
    was.filter((type) => !fits(type, is)),
    is.filter((type) => !fits(type, was)),
    formatTypes,
    at,
  );
};

/** Compares `const` and `enum`. */
export const compareValues: CompareKeywords = ({ before, after, ...at }) => {
  const [was, is] = [getValues(before), getValues(after)];
  if (was === undefined) {
    const gained = (is ?? []).filter((value) => !isOfTypes(value, getTypes(before)));
    return [
      createChange("fewer", at, `can now only be ${formatValues(is ?? [])}`),
      ...createLostAndGained([], gained, formatValues, at),
    ];
  }
  if (is === undefined) {
    const lost = was.filter((value) => !isOfTypes(value, getTypes(after)));
    return [
      createChange("more", at, `is no longer limited to ${formatValues(was)}`),
      ...createLostAndGained(lost, [], formatValues, at),
    ];
  }
  return createLostAndGained(findMissing(is, was), findMissing(was, is), formatValues, at);
};

/** Compares keywords such as `minimum`: a higher limit allows fewer values. */
export const compareLowerLimits: CompareKeywords = (pair, keywords) =>
  keywords.map((keyword) => compareLimit(pair, keyword, (was, is) => is > was));

/** Compares keywords such as `maximum`: a lower limit allows fewer values. */
export const compareUpperLimits: CompareKeywords = (pair, keywords) =>
  keywords.map((keyword) => compareLimit(pair, keyword, (was, is) => is < was));

function compareLimit(
  { before, after, ...at }: SchemaPair,
  keyword: string,
  isTighter: (was: number, is: number) => boolean,
): SchemaChange {
  const [was, is] = [before[keyword], after[keyword]] as [number | undefined, number | undefined];
  if (is === undefined) return createChange("more", at, `no longer has the \`${keyword}\` ${was}`);
  if (was === undefined) return createChange("fewer", at, `now has the \`${keyword}\` ${is}`);
  const message = `has the \`${keyword}\` ${is} (before: ${was})`;
  return createChange(isTighter(was, is) ? "fewer" : "more", at, message);
}

/** Compares keywords such as `pattern`, whose values cannot be compared. */
export const compareRules: CompareKeywords = ({ before, after, ...at }, keywords) =>
  keywords.flatMap((keyword) => {
    const [was, is] = [before[keyword] ?? false, after[keyword] ?? false];
    if (was === is) return [];
    if (was === false) return [createChange("fewer", at, `now has the \`${keyword}\` ${formatValue(is)}`)];
    if (is === false)
      return [createChange("more", at, `no longer has the \`${keyword}\` ${formatValue(was)}`)];
    return createFewerAndMore(at, `has the \`${keyword}\` ${formatValue(is)} (before: ${formatValue(was)})`);
  });

/** Compares the keywords that describe a value to models and people. */
export const compareAnnotations: CompareKeywords = (at, keywords) => [
  createChange("wording", at, `has a different ${keywords.join(" and ")}`),
];

/** Compares `x-mcp-header`: clients over HTTP repeat the value in this header, and calls without it are rejected. */
export const compareHeaders: CompareKeywords = ({ before, after, ...at }) => {
  const [was, is] = [before["x-mcp-header"], after["x-mcp-header"]];
  return is === undefined
    ? [createChange("more", at, `is no longer sent in the header \`Mcp-Param-${String(was)}\``)]
    : [createChange("fewer", at, `must now also be sent in the header \`Mcp-Param-${String(is)}\``)];
};

/**
 * Compares `x-mcp-file`, whose accepted types clients must respect, and `contentMediaType`, which repeats the only type. The
 * size of a file has the keyword `maxLength`, too.
 */
export const compareFileTypes: CompareKeywords = ({ before, after, ...at }) => {
  if (before["x-mcp-file"] === undefined && after["x-mcp-file"] === undefined)
    return createFewerAndMore(
      at,
      `has the \`contentMediaType\` ${formatValue(after.contentMediaType ?? null)}`,
    );
  const [was, is] = [before, after].map((schema) => {
    const { accept } = (schema["x-mcp-file"] ?? {}) as { accept?: readonly string[] };
    return accept;
  });
  const accepts = (types: readonly string[] | undefined, type: string): boolean =>
    types === undefined || types.includes(type) || types.includes(type.replace(/\/.*/, "/*"));
  const isNarrower = is !== undefined && (was === undefined || !was.every((type) => accepts(is, type)));
  const isWider = was !== undefined && (is === undefined || !is.every((type) => accepts(was, type)));
  const message = `accepts files of ${is === undefined ? "all types" : `type ${is.join(", ")}`}`;
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

import { findKeyword, KEYWORDS, type LimitName, LIMITS } from "@tenon/compiler/keywords";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { listValueProblems } from "@tenon/runtime/value-problems";

/** Receives a keyword that a type cannot express, or that is invalid. Only the API checks it. */
export type Omit = (keyword: string) => void;

/** Returns whether a limit applies to values of a type. */
export function appliesTo(name: LimitName, type: unknown): boolean {
  return KEYWORDS[name].of[0] === (type === "integer" ? "number" : type);
}

/** Removes limits that exclude every value together, since they are a mistake in the document. */
export function withPossibleLimits(schema: JsonSchema, omit: Omit): JsonSchema {
  const impossible = ["number", "string", "array"].flatMap((type) => {
    const names = LIMITS.filter((name) => appliesTo(name, type) && schema[name] !== undefined);
    const [lower, upper] = (["lower", "upper"] as const).map((bound) =>
      names.filter((name) => findKeyword(name)?.bound === bound),
    ) as [LimitName[], LimitName[]];
    const low = Math.max(...lower.map((name) => Number(schema[name])));
    const high = Math.min(...upper.map((name) => Number(schema[name])));
    const isExclusive = [...lower, ...upper].some((name) => name.startsWith("exclusive"));
    return low < high || (low === high && !isExclusive) ? [] : [...lower, ...upper];
  });
  if (impossible.length > 0) omit("limits that exclude every value");
  return without(schema, impossible);
}

/**
 * Merges the limits on one value. Of two limits that no single keyword expresses, such as two patterns, the first one is used.
 *
 * @param parts schemas with the same type, or without one
 */
export function mergeLimits(parts: readonly JsonSchema[], omit: Omit): JsonSchema {
  const merged: Record<string, unknown> = {};
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    const keyword = findKeyword(name);
    const before = merged[name];
    if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) merged[name] = value;
    else if (keyword?.bound !== undefined)
      merged[name] = (keyword.bound === "lower" ? Math.max : Math.min)(Number(before), Number(value));
    else if (name === "items") merged[name] = mergeLimits([before as JsonSchema, value as JsonSchema], omit);
    else if (name === "enum") merged[name] = intersect(before, value);
    else if (keyword?.role === "annotation") merged[name] = value;
    else omit(name);
  }
  const { enum: values, ...limits } = merged as JsonSchema;
  if (values === undefined) return withPossibleLimits(limits, omit);
  // A choice excludes more than the limits do.
  const names = LIMITS.filter((name) => limits[name] !== undefined);
  const own = Object.fromEntries(names.map((name) => [name, limits[name]])) as JsonSchema;
  const possible = values.filter((value) => listValueProblems(own, value).length === 0);
  return { ...without(limits, names), enum: possible.length > 0 ? possible : values };
}

/**
 * Removes what no type expresses from a schema whose parts are joined: limits that do not apply to its type, and required
 * names that no member has. Limits without a type do apply, but only the API checks them.
 *
 * @param omit receives the omitted keywords, and the names of required members
 */
export function withoutMisfits(
  schema: JsonSchema,
  omit: (keyword: string, name?: string) => void,
): JsonSchema {
  const types = [schema.type].flat();
  const unfit = LIMITS.filter(
    (name) => schema[name] !== undefined && !types.some((type) => appliesTo(name, type)),
  );
  // Without a type, a format is only a note.
  if (schema.type === undefined) for (const name of unfit) if (name !== "format") omit(name);
  const { required = [], ...rest } = without(schema, unfit);
  const isKnown = (name: string): boolean => Object.hasOwn(schema.properties ?? {}, name);
  for (const name of required) if (!isKnown(name)) omit("`required` of a member that is not declared", name);
  const known = required.filter(isKnown);
  const inside = Object.entries({ ...rest, ...(known.length > 0 && { required: known }) }).map(
    ([name, value]) => [name, mapHeld(findKeyword(name)?.holds, value, (each) => withoutMisfits(each, omit))],
  );
  return Object.fromEntries(inside) as JsonSchema;
}

/** Changes the schemas in the value of a keyword. */
function mapHeld(
  holds: string | undefined,
  value: unknown,
  change: (schema: JsonSchema) => JsonSchema,
): unknown {
  if (holds === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: JsonSchema) => change(each));
  if (holds !== "map") return change(value as JsonSchema);
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonSchema>).map(([key, each]) => [key, change(each)]),
  );
}

/** Returns the values that are in both lists, or the first list if none is. */
function intersect(first: unknown, second: unknown): unknown {
  const [values, others] = [first, second] as [unknown[], unknown[]];
  const common = values.filter((value) => others.includes(value));
  return common.length > 0 ? common : values;
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name))) as JsonSchema;
}

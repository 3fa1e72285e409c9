import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@tenon/runtime/manifest";

/**
 * What a change of a schema does to the values that fit it:
 *
 * - `fewer`: some that did no longer do
 * - `more`: some do that did not
 * - `default`: what is left out means something else
 * - `wording`: the same do, and what is said of them is different
 */
export type ValueChange = "fewer" | "more" | "default" | "wording";

export interface SchemaChange {
  readonly change: ValueChange;
  /** Of the value within; empty for the whole. */
  readonly path: string;
  /** What is different, as the end of a sentence about the value. */
  readonly message: string;
}

/** Messages about members, which mean more for who reads them than what fits. */
export const NEW = "is new";
export const NEW_AND_NEEDED = "is new, and needed";
export const GONE = "is gone";

type Schema = JsonSchema | boolean | undefined;

/**
 * In what two schemas differ, for whoever sends values (arguments) or reads them (results). What cannot be judged is
 * both `fewer` and `more`.
 *
 * @example
 * schemaChanges({ type: "string" }, { type: "string", maxLength: 5 })
 * // [{ change: "fewer", path: "", message: "has a `maxLength` of 5 now" }]
 */
export function schemaChanges(before: Schema, after: Schema): SchemaChange[] {
  return compare(inlined(before), inlined(after), "");
}

function compare(before: Schema, after: Schema, path: string): SchemaChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [a, b] = [objectOf(before), objectOf(after)];
  if (before === false || after === false) return both(path, "can be other values");
  return [
    ...types(a, b, path),
    ...values(a, b, path),
    ...BOUNDS.flatMap(([name, isLeast]) => bound(a[name], b[name], name, isLeast, path)),
    ...RULES.flatMap((name) => rule(a[name], b[name], name, path)),
    ...members(a, b, path),
    ...held(a, b, path),
    ...choices(a, b, path),
    ...words(a, b, path),
    ...OTHERS.flatMap((name) =>
      isDeepStrictEqual(a[name], b[name]) ? [] : both(path, `has another \`${name}\``),
    ),
  ];
}

/** Limits, and whether they are the least there may be. */
const BOUNDS = [
  ["minimum", true],
  ["exclusiveMinimum", true],
  ["minLength", true],
  ["minItems", true],
  ["minProperties", true],
  ["maximum", false],
  ["exclusiveMaximum", false],
  ["maxLength", false],
  ["maxItems", false],
  ["maxProperties", false],
] as const;

/** Rules that hold or do not. */
const RULES = ["pattern", "format", "multipleOf", "uniqueItems"] as const;

/** What nobody derives, so that it is not looked into. */
const OTHERS = [
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "patternProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
] as const;

function types(a: JsonSchema, b: JsonSchema, path: string): SchemaChange[] {
  const [was, is] = [typesOf(a), typesOf(b)];
  if (was === undefined && is === undefined) return [];
  if (was === undefined)
    return a.enum === undefined ? [one("fewer", path, `can only be ${listed(is ?? [])} now`)] : [];
  if (is === undefined) return b.enum === undefined ? [one("more", path, "can be anything now")] : [];
  const fits = (type: string, types: readonly string[]): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const lost = was.filter((type) => !fits(type, is));
  const gained = is.filter((type) => !fits(type, was));
  return [
    ...(lost.length > 0 ? [one("fewer", path, `can no longer be ${listed(lost)}`)] : []),
    ...(gained.length > 0 ? [one("more", path, `can be ${listed(gained)} as well`)] : []),
  ];
}

function values(a: JsonSchema, b: JsonSchema, path: string): SchemaChange[] {
  const [was, is] = [valuesOf(a), valuesOf(b)];
  if (was === undefined && is === undefined) return [];
  if (was === undefined) {
    const gained = (is ?? []).filter((value) => !isOfTypes(value, typesOf(a)));
    return [
      one("fewer", path, `can only be ${quoted(is ?? [])} now`),
      ...(gained.length > 0 ? [one("more", path, `can be ${quoted(gained)} as well`)] : []),
    ];
  }
  if (is === undefined) {
    const lost = was.filter((value) => !isOfTypes(value, typesOf(b)));
    return [
      one("more", path, `can be more than ${quoted(was)} now`),
      ...(lost.length > 0 ? [one("fewer", path, `can no longer be ${quoted(lost)}`)] : []),
    ];
  }
  const lost = was.filter((value) => !is.some((each) => isDeepStrictEqual(each, value)));
  const gained = is.filter((value) => !was.some((each) => isDeepStrictEqual(each, value)));
  return [
    ...(lost.length > 0 ? [one("fewer", path, `can no longer be ${quoted(lost)}`)] : []),
    ...(gained.length > 0 ? [one("more", path, `can be ${quoted(gained)} as well`)] : []),
  ];
}

function bound(
  was: number | undefined,
  is: number | undefined,
  name: string,
  isLeast: boolean,
  path: string,
): SchemaChange[] {
  if (was === is) return [];
  if (is === undefined) return [one("more", path, `has no \`${name}\` any more (it was ${was})`)];
  const message =
    was === undefined ? `has a \`${name}\` of ${is} now` : `has a \`${name}\` of ${is}, before ${was}`;
  if (was === undefined) return [one("fewer", path, message)];
  return [one(is > was === isLeast ? "fewer" : "more", path, message)];
}

function rule(was: unknown, is: unknown, name: string, path: string): SchemaChange[] {
  if (was === is || (was ?? false) === (is ?? false)) return [];
  if (was === undefined || was === false)
    return [one("fewer", path, `has to fit \`${name}\` ${show(is)} now`)];
  if (is === undefined || is === false) return [one("more", path, `has no \`${name}\` any more`)];
  return both(path, `has another \`${name}\`: ${show(is)}, before ${show(was)}`);
}

function members(a: JsonSchema, b: JsonSchema, path: string): SchemaChange[] {
  const [was, is] = [a.properties ?? {}, b.properties ?? {}];
  const [needed, needs] = [new Set(a.required), new Set(b.required)];
  const names = new Set([...Object.keys(was), ...Object.keys(is), ...needed, ...needs]);
  return [...names].flatMap((name): SchemaChange[] => {
    const within = path === "" ? name : `${path}.${name}`;
    const [isKnown, isStill] = [Object.hasOwn(was, name), Object.hasOwn(is, name)];
    if (!isKnown && isStill) {
      // Until now it had to fit what members of any name have to.
      const others = otherMembers(a);
      const message = needs.has(name) ? NEW_AND_NEEDED : NEW;
      return either(needs.has(name) || others !== false, others !== true, within, message);
    }
    if (isKnown && !isStill) {
      const others = otherMembers(b);
      return either(others !== true, needed.has(name) || others !== false, within, GONE);
    }
    return [
      ...(needs.has(name) && !needed.has(name) ? [one("fewer", within, "is needed now")] : []),
      ...(needed.has(name) && !needs.has(name) ? [one("more", within, "may be left out now")] : []),
      ...(isKnown ? compare(was[name], is[name], within) : []),
    ];
  });
}

/** What lists and records hold. */
function held(a: JsonSchema, b: JsonSchema, path: string): SchemaChange[] {
  const [was, is] = [otherMembers(a), otherMembers(b)];
  const [items, now] = [a.items ?? true, b.items ?? true];
  const places = Math.max(a.prefixItems?.length ?? 0, b.prefixItems?.length ?? 0);
  return [
    ...(was !== false && is !== false ? compare(was, is, `${path}.*`) : []),
    ...(was !== false && is === false ? [one("fewer", path, "has no other members any more")] : []),
    ...(was === false && is !== false ? [one("more", path, "may have other members")] : []),
    ...compare(items, now, `${path}[]`),
    ...Array.from({ length: places }, (_, index) =>
      compare(a.prefixItems?.[index] ?? items, b.prefixItems?.[index] ?? now, `${path}[${index}]`),
    ).flat(),
  ];
}

/** What members that have no schema of their own have to fit; true for anything. */
function otherMembers({ additionalProperties = true }: JsonSchema): JsonSchema | boolean {
  const isAnything =
    typeof additionalProperties === "object" && Object.keys(additionalProperties).length === 0;
  return isAnything || additionalProperties;
}

function choices(a: JsonSchema, b: JsonSchema, path: string): SchemaChange[] {
  const [was, is] = [a.anyOf ?? [], b.anyOf ?? []];
  if (was.length === 0 && is.length === 0) return [];
  if (was.length === 0) return both(path, "is one of several kinds of values now");
  if (is.length === 0) return both(path, "is of one kind now");
  const lost = was.filter((choice) => !is.some((each) => isDeepStrictEqual(each, choice)));
  const gained = is.filter((choice) => !was.some((each) => isDeepStrictEqual(each, choice)));
  if (lost.length === 1 && gained.length === 1) return compare(lost[0], gained[0], path);
  return [
    ...(lost.length > 0 ? [one("fewer", path, "is of fewer kinds")] : []),
    ...(gained.length > 0 ? [one("more", path, "is of more kinds")] : []),
  ];
}

function words(a: JsonSchema, b: JsonSchema, path: string): SchemaChange[] {
  const names = (["title", "description", "examples", "deprecated"] as const).filter(
    (name) => !isDeepStrictEqual(a[name], b[name]),
  );
  return [
    ...(names.length > 0 ? [one("wording", path, `has another ${names.join(" and ")}`)] : []),
    ...(isDeepStrictEqual(a.default, b.default)
      ? []
      : [one("default", path, `means ${show(b.default)} when it is left out, before ${show(a.default)}`)]),
  ];
}

function one(change: ValueChange, path: string, message: string): SchemaChange {
  return { change, path, message };
}

function both(path: string, message: string): SchemaChange[] {
  return either(true, true, path, message);
}

function either(isFewer: boolean, isMore: boolean, path: string, message: string): SchemaChange[] {
  return [...(isFewer ? [one("fewer", path, message)] : []), ...(isMore ? [one("more", path, message)] : [])];
}

function objectOf(schema: Schema): JsonSchema {
  return typeof schema === "object" ? schema : {};
}

function typesOf({ type }: JsonSchema): readonly string[] | undefined {
  return type === undefined ? undefined : [type].flat();
}

function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

function isOfTypes(value: unknown, types: readonly string[] | undefined): boolean {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (types === undefined || types.includes(type)) return true;
  return type === "number" && types.includes("integer") && Number.isInteger(value);
}

function listed(types: readonly string[]): string {
  return types.join(" or ");
}

function quoted(items: readonly unknown[]): string {
  return items.map((each) => JSON.stringify(each)).join(", ");
}

function show(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** References become what they refer to; one that is within itself stays. */
export function inlined(schema: Schema): Schema {
  if (typeof schema !== "object") return schema;
  const definitions = schema.$defs ?? {};
  const inline = (value: unknown, way: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each: unknown) => inline(each, way));
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as JsonSchema;
    const name = $ref?.startsWith("#/$defs/") === true ? $ref.slice("#/$defs/".length) : undefined;
    const target = name === undefined || way.includes(name) ? undefined : definitions[name];
    if (name !== undefined && target !== undefined)
      return { ...(inline(target, [...way, name]) as object), ...rest };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(each, way)]));
  };
  const { $defs: _, ...own } = schema;
  return inline(own, []) as JsonSchema;
}

import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { findChangedMembers } from "../json/json-differences.js";
import { KEYWORDS } from "./keywords.js";
import {
  createChange,
  createFewerAndMore,
  type Location,
  type Member,
  type Schema,
  type SchemaChange,
} from "./schema-change.js";

/**
 * Compares two schemas by the values that fit them. A difference that may go either way is both `fewer` and `more`.
 *
 * @example
 * findSchemaChanges({ type: "string" }, { type: "string", maxLength: 5 })
 * // [{ change: "fewer", path: "", message: "now has the `maxLength` 5", member: … }]
 */
export function findSchemaChanges(before: Schema, after: Schema): SchemaChange[] {
  const whole: Member = {
    path: "",
    before: inlineReferences(before),
    after: inlineReferences(after),
    isRequired: true,
  };
  return compare(whole.before, whole.after, { path: "", member: whole });
}

function compare(before: Schema, after: Schema, { path, member }: Location): SchemaChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  const at = { path, member };
  if (before === false || after === false) return createFewerAndMore(at, "can be different values");
  const pair = { before: toObjectSchema(before), after: toObjectSchema(after), ...at, compare };
  const different = new Set(findChangedMembers(pair.before, pair.after));
  const judged = KEYWORDS.flatMap(({ keywords, judge }) => {
    const found = keywords.filter((keyword) => different.delete(keyword));
    return found.length > 0 ? judge(pair, found) : [];
  });
  const unjudged = [...different].map((keyword) =>
    createChange("unjudged", at, `has a different \`${keyword}\``),
  );
  const changes = [...judged, ...unjudged];
  // For example, the same values in a different order.
  return changes.length > 0 ? changes : [createChange("unjudged", at, "is written differently")];
}

function toObjectSchema(schema: Schema): JsonSchema {
  return typeof schema === "object" ? schema : {};
}

/** Replaces references with their targets, except recursive ones. */
function inlineReferences(schema: Schema): Schema {
  if (typeof schema !== "object") return schema;
  const definitions = schema.$defs ?? {};
  const inline = (value: unknown, parents: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each: unknown) => inline(each, parents));
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...rest } = value as JsonSchema;
    const name = $ref?.startsWith("#/$defs/") === true ? $ref.slice("#/$defs/".length) : undefined;
    const target = name === undefined || parents.includes(name) ? undefined : definitions[name];
    if (name !== undefined && target !== undefined)
      return { ...(inline(target, [...parents, name]) as object), ...rest };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inline(each, parents)]));
  };
  const { $defs: _, ...own } = schema;
  return inline(own, []) as JsonSchema;
}

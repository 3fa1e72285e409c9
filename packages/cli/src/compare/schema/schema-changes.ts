import { isDeepStrictEqual } from "node:util";
import { findKeyword } from "@tenon/compiler/keywords";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { findChangedMembers } from "../json/json-differences.js";
import { KEYWORDS } from "./keywords.js";
import { compareAlternatives, hasAlternatives, listAlternatives } from "./alternatives.js";
import { followReferences, type Resolved } from "./references.js";
import {
  createChange,
  createFewerAndMore,
  type Member,
  type Schema,
  type SchemaChange,
  type SchemaPair,
} from "./schema-change.js";

/**
 * Compares two schemas by the values that fit them. A difference that may both exclude and allow values is reported as `fewer` and as `more`.
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
  return createComparison(before, after)(whole.before, whole.after, { path: "", member: whole });
}

/** Creates the comparison of the parts of two documents. It follows the references of recursive types. */
function createComparison(beforeRoot: Schema, afterRoot: Schema): SchemaPair["compare"] {
  const open: { earlier: Schema; current: Schema }[] = [];
  const followBefore = (schema: Schema): Resolved => followReferences(schema, beforeRoot);
  const followAfter = (schema: Schema): Resolved => followReferences(schema, afterRoot);

  const compare: SchemaPair["compare"] = (earlier, current, at) => {
    if (isDeepStrictEqual(earlier, current) && !hasReference(earlier)) return [];
    const [before, after] = [followBefore(earlier), followAfter(current)];
    // Recursive types lead to the same pair of schemas again.
    const isOpen = open.some((each) => each.earlier === before.target && each.current === after.target);
    if (isOpen) return [];
    open.push({ earlier: before.target, current: after.target });
    const changes = compareFollowed(before.schema, after.schema, at);
    open.pop();
    return changes;
  };

  const compareFollowed: SchemaPair["compare"] = (earlier, current, at) => {
    if (earlier === false || current === false)
      return earlier === current ? [] : createFewerAndMore(at, "can be different values");
    const [before, after] = [toObjectSchema(earlier), toObjectSchema(current)];
    const pair = { before, after, ...at, compare };
    // Equal references may lead to different schemas.
    const different = new Set(findChangedMembers(before, after, hasReference));
    for (const keyword of IGNORED) different.delete(keyword);
    const alternatives = hasAlternatives(before) || hasAlternatives(after) ? compareAll(pair) : undefined;
    if (alternatives)
      for (const name of different) if (findKeyword(name)?.role !== "annotation") different.delete(name);
    const known = KEYWORDS.flatMap(({ keywords, compare: compareKeywords }) => {
      const found = keywords.filter((keyword) => different.delete(keyword));
      return found.length > 0 ? compareKeywords(pair, found) : [];
    });
    const unknown = [...different].map((keyword) =>
      createChange("unknown", at, `has a different \`${keyword}\`, whose effect is unknown`),
    );
    return [...(alternatives ?? []), ...known, ...unknown];
  };

  const compareAll = ({ before, after, ...at }: SchemaPair): SchemaChange[] | undefined => {
    const [earlier, current] = [listAlternatives(before, followBefore), listAlternatives(after, followAfter)];
    return (
      earlier && current && compareAlternatives(earlier, current, at, (one, other) => compare(one, other, at))
    );
  };
  return compare;
}

/** Keywords that restrict no value, and that clients do not show. */
const IGNORED: ReadonlySet<string> = new Set([
  ..."$schema $id $comment $anchor $vocabulary $defs definitions readOnly".split(" "),
]);

function hasReference(part: unknown): boolean {
  return /"\$(?:ref|dynamicRef)"/.test(JSON.stringify(part) ?? "");
}

function toObjectSchema(schema: Schema): JsonSchema {
  return typeof schema === "object" ? schema : {};
}

/** Replaces references with their targets, except recursive ones. */
function inlineReferences(root: Schema): Schema {
  const inline = (value: unknown, parents: readonly Schema[]): unknown => {
    if (Array.isArray(value)) return value.map((each: unknown) => inline(each, parents));
    if (typeof value !== "object" || value === null) return value;
    const { schema, target } = followReferences(value as JsonSchema, root);
    if (schema === value) return inlineMembers(value, parents);
    return parents.includes(target) ? value : inlineMembers(schema, [...parents, target]);
  };
  const inlineMembers = (schema: Schema | object, parents: readonly Schema[]): unknown =>
    typeof schema === "object"
      ? Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, inline(each, parents)]))
      : schema;
  if (typeof root !== "object") return root;
  const { $defs: _, ...own } = root;
  return inline(own, [root]) as Schema;
}

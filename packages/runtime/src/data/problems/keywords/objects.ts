import { isObject } from "../../../protocol/jsonrpc.js";
import type { JsonSchema } from "../../../protocol/json-schema.js";
import { formatCount, describeSchema, formatExampleHint } from "../describe-schema.js";
import { getDeclaredMember } from "../member-schemas.js";
import { findNearestName } from "../nearest-name.js";
import { collectInside, keyword, type KeywordCheck, report, type Search } from "../search.js";

export const objectKeywords: readonly KeywordCheck[] = [
  keyword(
    "maxProperties",
    "object",
    (limit: number, value: object, schema) =>
      countMembers(schema, value) > limit && (() => `have at most ${formatCount(limit, "member")}`),
  ),
  keyword(
    "minProperties",
    "object",
    (limit: number, value: object, schema) =>
      countMembers(schema, value) < limit && (() => `have at least ${formatCount(limit, "member")}`),
  ),
  keyword("required", "object", (names: string[], value: Record<string, unknown>, schema, search) => {
    for (const member of names) {
      if (!hasMember(value, member)) reportMissing(member, value, schema, search);
    }
  }),
  keyword(
    "additionalProperties",
    "object",
    (allowed: unknown, value: Record<string, unknown>, schema, search) => {
      // With patterns, the second row of this keyword applies. Results are sent without undeclared members.
      if (allowed !== false || schema.patternProperties !== undefined || search.isOfResult) return;
      for (const name of Object.keys(value)) {
        if (getDeclaredMember(schema, name) === undefined) reportUnknown(name, value, schema, search);
      }
    },
  ),
  keyword("properties", "object", (members: object, value: Record<string, unknown>, schema, search) => {
    for (const name of Object.keys(members)) {
      const member = getDeclaredMember(schema, name);
      if (member !== undefined && hasMember(value, name)) collectInside(name, member, value[name], search);
    }
  }),
  keyword(
    "additionalProperties",
    "object",
    (allowed: unknown, value: Record<string, unknown>, schema, search) => {
      const { patternProperties } = schema;
      if (!isObject(allowed) && (allowed !== false || patternProperties === undefined)) return;
      const patterns = Object.keys(patternProperties ?? {}).map((pattern) => new RegExp(pattern, "u"));
      for (const [name, member] of Object.entries(value)) {
        const isKnown =
          getDeclaredMember(schema, name) !== undefined || patterns.some((each) => each.test(name));
        if (isKnown) continue;
        if (isObject(allowed)) collectInside(name, allowed, member, search);
        else reportUnknown(name, value, schema, search);
      }
    },
  ),
  keyword(
    "patternProperties",
    "object",
    (patterns: Record<string, JsonSchema>, value: Record<string, unknown>, _, search) => {
      for (const [pattern, schema] of Object.entries(patterns)) {
        const test = new RegExp(pattern, "u");
        for (const [name, member] of Object.entries(value)) {
          if (test.test(name)) collectInside(name, schema, member, search);
        }
      }
    },
  ),
];

/** Returns whether an object has an own member with a value other than `undefined`. */
export function hasMember(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] !== undefined;
}

/** Reports a required member that is missing. */
export function reportMissing(member: string, value: unknown, schema: JsonSchema, search: Search): void {
  const requirement = (): string => {
    const wanted = getDeclaredMember(schema, member);
    return wanted === undefined
      ? ""
      : ` (${describeSchema(wanted, search.root)}${formatExampleHint(wanted)})`;
  };
  report(search, { keyword: "required", schema, value, member, requirement });
}

/** Reports a member that the schema does not have, with the nearest name that it has. */
export function reportUnknown(member: string, value: unknown, schema: JsonSchema, search: Search): void {
  const requirement = (noun: string): string => {
    const names = Object.keys(schema.properties ?? {});
    const nearest = findNearestName(member, names);
    if (nearest !== undefined) return `; did you mean \`${nearest}\`?`;
    // A pattern may allow other names.
    if (schema.patternProperties !== undefined) return "";
    if (names.length === 0) return `; there are no ${noun}s`;
    return names.length > 12 ? "" : `; valid: ${names.map((each) => `\`${each}\``).join(", ")}`;
  };
  report(search, { keyword: "additionalProperties", schema, value, member, requirement });
}

/** Counts members as compiled validators do: including absent ones with defaults, which they fill in first. */
function countMembers({ properties = {}, required = [] }: JsonSchema, value: object): number {
  const filled = Object.entries(properties).filter(
    ([name, member]) =>
      member.default !== undefined && !Object.hasOwn(value, name) && !required.includes(name),
  );
  return Object.keys(value).length + filled.length;
}

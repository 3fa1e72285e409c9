import { isObject } from "../../protocol/jsonrpc.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { count, describeSchema, exampleHint } from "../describe-schema.js";
import { nearestName } from "../nearest-name.js";
import { collectInside, keyword, type KeywordCheck, report, type Search } from "../search.js";

export const objectKeywords: readonly KeywordCheck[] = [
  keyword(
    "maxProperties",
    "object",
    (limit: number, value: object, schema) =>
      countMembers(schema, value) > limit && (() => `have at most ${count(limit, "member")}`),
  ),
  keyword(
    "minProperties",
    "object",
    (limit: number, value: object, schema) =>
      countMembers(schema, value) < limit && (() => `have at least ${count(limit, "member")}`),
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
      // Beside patterns, see below.
      if (allowed !== false || schema.patternProperties !== undefined) return;
      for (const name of Object.keys(value)) {
        if (declaredMember(schema, name) === undefined) reportUnknown(name, value, schema, search);
      }
    },
  ),
  keyword("properties", "object", (members: object, value: Record<string, unknown>, schema, search) => {
    for (const name of Object.keys(members)) {
      const member = declaredMember(schema, name);
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
          declaredMember(schema, name) !== undefined || patterns.some((each) => each.test(name));
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

/** The schema of a member with a name of its own; validators take `__proto__` for a name that is not declared. */
export function declaredMember({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined {
  return name !== "__proto__" && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function hasMember(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] !== undefined;
}

export function reportMissing(member: string, value: unknown, schema: JsonSchema, search: Search): void {
  const requirement = (): string => {
    const wanted = declaredMember(schema, member);
    return wanted === undefined ? "" : ` (${describeSchema(wanted, search.root)}${exampleHint(wanted)})`;
  };
  report(search, { keyword: "required", schema, value, member, requirement });
}

export function reportUnknown(member: string, value: unknown, schema: JsonSchema, search: Search): void {
  const requirement = (noun: string): string => {
    const names = Object.keys(schema.properties ?? {});
    const nearest = nearestName(member, names);
    if (nearest !== undefined) return `; did you mean \`${nearest}\`?`;
    // A pattern may allow names besides these.
    if (schema.patternProperties !== undefined) return "";
    if (names.length === 0) return `; there are no ${noun}s`;
    return names.length > 12 ? "" : `; valid: ${names.map((each) => `\`${each}\``).join(", ")}`;
  };
  report(search, { keyword: "additionalProperties", schema, value, member, requirement });
}

/** Compiled validators fill in defaults before they count. */
function countMembers({ properties = {}, required = [] }: JsonSchema, value: object): number {
  const filled = Object.entries(properties).filter(
    ([name, member]) =>
      member.default !== undefined && !Object.hasOwn(value, name) && !required.includes(name),
  );
  return Object.keys(value).length + filled.length;
}

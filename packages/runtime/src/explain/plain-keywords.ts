/**
 * The keywords that nearly every server's schemas have, and why a value does not satisfy them.
 * @module
 */
import {
  isTypeAllowed,
  type JsonSchema,
  type JsonTypeName,
  type JsonValue,
  typeOf,
} from "../protocol/json-schema.js";
import { nearestName } from "./nearest-name.js";
import { ucs2length } from "../validation/compiled-validators.js";
import { lookInside, report, rule } from "./problems.js";
import type { Rule, Search } from "./vocabulary.js";
import { count, describeChoices, exampleHint, show } from "./words.js";

/** For values of every type. */
export const anyKeywords: readonly Rule[] = [
  rule(
    "type",
    "any",
    (types: JsonTypeName | JsonTypeName[], value: unknown, schema, search) =>
      !isTypeAllowed(typeOf(value), types) && (() => `be ${search.vocabulary.describe(schema, search)}`),
  ),
  rule(
    "enum",
    "any",
    (choices: JsonValue[], value: unknown, _, { vocabulary }) =>
      !choices.some((choice) => vocabulary.equal(choice, value)) && (() => oneOf(choices, value)),
  ),
];

/** For numbers and texts. */
export const scalarKeywords: readonly Rule[] = [
  rule(
    "maximum",
    "number",
    (limit: number, value: number) => value > limit && (() => `be at most ${String(limit)}`),
  ),
  rule(
    "minimum",
    "number",
    (limit: number, value: number) => value < limit && (() => `be at least ${String(limit)}`),
  ),
  rule(
    "maxLength",
    "string",
    (limit: number, text: string) =>
      ucs2length(text) > limit && (() => `have at most ${count(limit, "character")}`),
  ),
  rule(
    "minLength",
    "string",
    (limit: number, text: string) =>
      ucs2length(text) < limit && (() => `have at least ${count(limit, "character")}`),
  ),
];

/** For arrays and objects. */
export const containerKeywords: readonly Rule[] = [
  rule("items", "array", (items: JsonSchema, list: unknown[], { prefixItems = [] }, search) => {
    for (let index = prefixItems.length; index < list.length; index++) {
      lookInside(index, items, list[index], search);
    }
  }),
  rule("required", "object", (names: string[], value: Record<string, unknown>, schema, search) => {
    for (const member of names) {
      if (!hasMember(value, member)) reportMissing(member, value, schema, search);
    }
  }),
  rule(
    "additionalProperties",
    "object",
    (allowed: unknown, value: Record<string, unknown>, schema, search) => {
      // Names that fit a pattern are no additional ones.
      if (allowed !== false || schema.patternProperties !== undefined) return;
      for (const name of Object.keys(value)) {
        if (declaredMember(schema, name) === undefined) reportUnknown(name, value, schema, search);
      }
    },
  ),
  rule("properties", "object", (members: object, value: Record<string, unknown>, schema, search) => {
    for (const name of Object.keys(members)) {
      const member = declaredMember(schema, name);
      if (member !== undefined && hasMember(value, name)) lookInside(name, member, value[name], search);
    }
  }),
];

/** What a schema says of a member by its name; validators take `__proto__` for a name that nobody declares. */
export function declaredMember({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined {
  return name !== "__proto__" && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function hasMember(value: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== undefined;
}

export function reportMissing(member: string, value: unknown, schema: JsonSchema, search: Search): void {
  const words = (): string => {
    const wanted = declaredMember(schema, member);
    return wanted === undefined
      ? ""
      : ` (${search.vocabulary.describe(wanted, search)}${exampleHint(wanted, search)})`;
  };
  report(search, { keyword: "required", schema, value, member, words });
}

export function reportUnknown(member: string, value: unknown, schema: JsonSchema, search: Search): void {
  const words = (noun: string): string => {
    const names = Object.keys(schema.properties ?? {});
    const nearest = nearestName(member, names);
    if (nearest !== undefined) return `; did you mean \`${nearest}\`?`;
    // Beside names there are others then, which a pattern tells.
    if (schema.patternProperties !== undefined) return "";
    if (names.length === 0) return `; there are no ${noun}s`;
    return names.length > 12 ? "" : `; valid: ${names.map((each) => `\`${each}\``).join(", ")}`;
  };
  report(search, { keyword: "additionalProperties", schema, value, member, words });
}

function oneOf(choices: readonly JsonValue[], value: unknown): string {
  const texts = choices.filter((choice) => typeof choice === "string");
  const nearest = typeof value === "string" ? nearestName(value, texts) : undefined;
  const hint = nearest === undefined ? "" : `; did you mean ${show(nearest)}?`;
  return `be ${describeChoices(choices, 20, `… (${choices.length} in all)`)}${hint}`;
}

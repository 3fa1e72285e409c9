/**
 * A value in a message. Members that the author tagged `@secret` are not repeated; the mark is
 * `writeOnly` in the schema that arguments are checked against.
 * @module
 */
import { type JsonSchema, resolve } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { Steps } from "./problem.js";

/** Stands for a secret value. */
const MASK = { toJSON: () => "(secret)" };

/** A schema's mark, in its text. */
const MARK = '"writeOnly":true';

const REFERENCE = /"\$(?:ref|dynamicRef)"/;

/**
 * The value at a place in `data`, as it may stand in a sentence: shortened, and without secrets.
 *
 * @param root the schema of `data`
 */
export function showValue(data: unknown, steps: Steps, root: JsonSchema): string {
  const shown = withoutSecrets(root, data, steps);
  return shown === MASK ? "a secret value" : shorten(shown);
}

/** A value, read from JSON, at a length that fits a sentence. */
export function shorten(value: unknown): string {
  if (value === undefined) return "nothing";
  // JSON has numbers that are too large for any other form.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value) && value.length > 8) return `an array of ${value.length} items`;
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 80) : value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/**
 * The value at `path` as it may be shown: secret parts masked, and with them whatever may have been meant as
 * one, such as a member with a misspelt name.
 *
 * @example
 * withoutSecrets(schema, { user: "ada", password: "hunter2" }, []) // { user: "ada", password: "(secret)" }
 */
export function withoutSecrets(root: JsonSchema, data: unknown, path: Steps): unknown {
  const reaching = new Map<JsonSchema, boolean>();
  const reaches = (schema: JsonSchema): boolean => {
    const known = reaching.get(schema) ?? reachesSecrets(schema, root);
    reaching.set(schema, known);
    return known;
  };
  const masked = (schemas: readonly JsonSchema[], value: unknown): unknown => {
    if (value === undefined) return undefined;
    if (schemas.some(isSecret)) return MASK;
    if (!schemas.some(reaches)) return value;
    const member = (name: string, item: unknown): unknown => {
      const known = schemas.flatMap((each) => memberSchemas(each, name));
      return known.length === 0 ? MASK : masked(withAlternatives(known, root), item);
    };
    if (Array.isArray(value)) return value.map((item: unknown, index) => member(String(index), item));
    if (!isObject(value)) return MASK;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, member(name, item)]));
  };

  let schemas = withAlternatives([root], root);
  let value = data;
  for (const step of path) {
    if (schemas.some(isSecret)) return MASK;
    if (typeof value !== "object" || value === null) return undefined;
    const members = schemas.flatMap((each) => memberSchemas(each, String(step)));
    schemas = withAlternatives(members, root);
    value = (value as Record<string | number, unknown>)[step];
  }
  return masked(schemas, value);
}

function isSecret(schema: JsonSchema): boolean {
  return schema.writeOnly === true;
}

function reachesSecrets(schema: JsonSchema, root: JsonSchema): boolean {
  const text = JSON.stringify(schema);
  return text.includes(MARK) || (REFERENCE.test(text) && JSON.stringify(root).includes(MARK));
}

/** The schemas and all their alternatives, each once, with references followed. */
function withAlternatives(schemas: readonly JsonSchema[], root: JsonSchema): JsonSchema[] {
  const found = new Set<JsonSchema>();
  const add = (schema: JsonSchema): void => {
    if (found.has(schema)) return;
    found.add(schema);
    const { anyOf = [], oneOf = [], allOf = [] } = schema;
    add(resolve(schema, root));
    for (const inner of [...anyOf, ...oneOf, ...allOf]) add(inner);
  };
  for (const schema of schemas) add(schema);
  return [...found];
}

function memberSchemas(schema: JsonSchema, step: string): JsonSchema[] {
  const { properties = {}, additionalProperties, prefixItems, items } = schema;
  if (Object.hasOwn(properties, step)) return [properties[step] ?? {}];
  const found = [
    /^\d+$/.test(step) ? (prefixItems?.[Number(step)] ?? items) : undefined,
    additionalProperties,
  ];
  return found.filter((each): each is JsonSchema => isObject(each));
}

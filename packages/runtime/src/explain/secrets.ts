/**
 * What stands in members that the author tagged `@secret` is not repeated in messages. The mark is `writeOnly`
 * in the schema that arguments are checked against.
 * @module
 */
import { isObject } from "../protocol/jsonrpc.js";
import { type JsonSchema, resolve } from "../protocol/json-schema.js";
import type { Steps } from "./vocabulary.js";
import { show as showAll } from "./words.js";

/** What stands in a message for a value that is none of the reader's business. */
const MASK = "(secret)";

/** A schema's mark, in its text. */
const MARK = '"writeOnly":true';

/** The value at a place, with what may be secret masked. */
function show(_value: unknown, steps: Steps, data: unknown, root: JsonSchema): string {
  const shown = withoutSecrets(root, data, steps);
  return shown === MASK ? "a secret value" : showAll(shown);
}

/**
 * The value at `path` as it may be shown: secret parts masked, and with them whatever may have been meant as
 * one, such as a member with a misspelt name.
 *
 * @example
 * withoutSecrets(schema, { user: "ada", password: "hunter2" }, []) // { user: "ada", password: "(secret)" }
 */
function withoutSecrets(root: JsonSchema, data: unknown, path: Steps): unknown {
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
      return known.length === 0 ? MASK : masked(alternatives(known, root), item);
    };
    if (Array.isArray(value)) return value.map((item: unknown, index) => member(String(index), item));
    if (!isObject(value)) return MASK;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, member(name, item)]));
  };

  let schemas = alternatives([root], root);
  let value = data;
  for (const step of path) {
    if (schemas.some(isSecret)) return MASK;
    if (typeof value !== "object" || value === null) return undefined;
    const members = schemas.flatMap((each) => memberSchemas(each, String(step)));
    schemas = alternatives(members, root);
    value = (value as Record<string | number, unknown>)[step];
  }
  return masked(schemas, value);
}

function isSecret(schema: JsonSchema): boolean {
  return schema.writeOnly === true;
}

function reachesSecrets(schema: JsonSchema, root: JsonSchema): boolean {
  const text = JSON.stringify(schema);
  return text.includes(MARK) || (text.includes('"$ref"') && JSON.stringify(root).includes(MARK));
}

/** The schemas and all their alternatives, each once, with references followed. */
function alternatives(schemas: readonly JsonSchema[], root: JsonSchema): JsonSchema[] {
  const found = new Set<JsonSchema>();
  const add = (schema: JsonSchema): void => {
    if (found.has(schema)) return;
    found.add(schema);
    const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
    if ($ref !== undefined) add(resolve(schema, root));
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

/** Schemas with members whose values are nobody's business. */
export const secrets = { show };

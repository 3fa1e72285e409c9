/**
 * What stands in members that the author tagged `@secret` is not repeated in messages. The mark is `writeOnly`
 * in the schema that arguments are checked against.
 * @module
 */
import { isObject } from "./jsonrpc.js";
import type { JsonSchema } from "./json-schema.js";
import { resolve } from "./schema-match.js";

/** What stands in a message for a value that is none of the reader's business. */
export const MASK = "(secret)";

/** True when any part of the schema is marked. */
export function holdsSecrets(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('"writeOnly":true');
}

/**
 * The value at `path` as it may be shown: secret parts masked, and with them whatever may have been meant as
 * one, such as a member with a misspelt name.
 *
 * @param path Member names and indices, outermost first.
 * @example
 * withoutSecrets(schema, { user: "ada", password: "hunter2" }, []) // { user: "ada", password: "(secret)" }
 */
export function withoutSecrets(schema: JsonSchema, data: unknown, path: readonly string[]): unknown {
  let schemas = alternatives([schema], schema);
  let value = data;
  for (const step of path) {
    if (schemas.some(isSecret)) return MASK;
    if (typeof value !== "object" || value === null) return undefined;
    schemas = alternatives(
      schemas.flatMap((each) => memberSchemas(each, step)),
      schema,
    );
    value = (value as Record<string, unknown>)[step];
  }
  return masked(schemas, value, schema);
}

function masked(schemas: readonly JsonSchema[], value: unknown, root: JsonSchema): unknown {
  if (value === undefined) return undefined;
  if (schemas.some(isSecret)) return MASK;
  const sensitive = schemas.some((each) => reachesSecrets(each, root));
  if (!sensitive) return value;
  const member = (name: string, item: unknown): unknown => {
    const known = schemas.flatMap((each) => memberSchemas(each, name));
    return known.length === 0 ? MASK : masked(alternatives(known, root), item, root);
  };
  if (Array.isArray(value)) return value.map((item: unknown, index) => member(String(index), item));
  if (!isObject(value)) return MASK;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, member(name, item)]));
}

function isSecret(schema: JsonSchema): boolean {
  return schema.writeOnly === true;
}

function reachesSecrets(schema: JsonSchema, root: JsonSchema): boolean {
  if (holdsSecrets(schema)) return true;
  return JSON.stringify(schema).includes('"$ref"') && holdsSecrets(root);
}

/** The schemas with their alternatives in place of compositions, and references followed. */
function alternatives(schemas: readonly JsonSchema[], root: JsonSchema, depth = 0): JsonSchema[] {
  return schemas.flatMap((schema) => {
    const resolved = resolve(schema, root);
    if (resolved === undefined) return [];
    const inner = [...(resolved.anyOf ?? []), ...(resolved.oneOf ?? []), ...(resolved.allOf ?? [])];
    return inner.length > 0 && depth < 16 ? [resolved, ...alternatives(inner, root, depth + 1)] : [resolved];
  });
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

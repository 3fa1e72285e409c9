/**
 * Members that the author tagged `@secret`. In a schema, they have `writeOnly`.
 * @module
 */
import { getJsonType, isTypeAllowed, type JsonSchema, resolve } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { findMemberSchemas, getDeclaredMember } from "./member-schemas.js";
import type { Steps } from "./problem.js";

/** Replacement for a secret value. */
export const MASK = { toJSON: () => "(secret)" };

/** The mark of a secret in the JSON text of a schema. */
const MARK = '"writeOnly":true';

const REFERENCE = /"\$(?:ref|dynamicRef)"/;

/** Returns whether any member that a schema describes is secret. */
export function hasSecrets(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes(MARK);
}

/**
 * Returns the value at `path` with its secrets masked. Everything that may have been meant as a secret is masked as
 * well, such as a member with a misspelled name, or an object in place of a string.
 *
 * @example
 * withoutSecrets(schema, { user: "ada", password: "hunter2" }, []) // { user: "ada", password: "(secret)" }
 */
export function withoutSecrets(root: JsonSchema, data: unknown, path: Steps): unknown {
  const hasAny = hasSecrets(root);
  const reaching = new Map<JsonSchema, boolean>();
  const reaches = (schema: JsonSchema): boolean => {
    const known = reaching.get(schema) ?? reachesSecrets(schema, root);
    reaching.set(schema, known);
    return known;
  };
  const mask = (schemas: readonly JsonSchema[], value: unknown): unknown => {
    if (value === undefined) return undefined;
    if (schemas.some(isSecret)) return MASK;
    if (!schemas.some(reaches)) return hasAny && isMisplaced(value, schemas) ? MASK : value;
    const mayBeShifted = isShifted(value, schemas, root);
    const maskMember = (name: string, item: unknown): unknown => {
      const inner = findInnerSchemas(schemas, name, root);
      return mayBeShifted || inner.length === 0 ? MASK : mask(inner, item);
    };
    if (Array.isArray(value)) return value.map((item: unknown, index) => maskMember(String(index), item));
    if (!isObject(value)) return MASK;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskMember(name, item)]));
  };

  let schemas = withAlternatives([root], root);
  let value = data;
  for (const step of path) {
    if (schemas.some(isSecret)) return MASK;
    if (typeof value !== "object" || value === null) return undefined;
    const inner = findInnerSchemas(schemas, step, root);
    // A part that no schema describes may have been meant as a secret.
    if ((inner.length === 0 || isShifted(value, schemas, root)) && schemas.some(reaches)) return MASK;
    schemas = inner;
    value = (value as Record<string | number, unknown>)[step];
  }
  return mask(schemas, value);
}

/**
 * Returns a path without the names that are part of a secret: those inside a secret value that no schema declares, such as
 * the keys of a secret record.
 */
export function maskNames(root: JsonSchema, path: Steps): Steps {
  let schemas = withAlternatives([root], root);
  let isInSecret = false;
  return path.map((step) => {
    isInSecret ||= schemas.some(isSecret);
    const isName = typeof step === "string" && !schemas.some((each) => getDeclaredMember(each, step));
    schemas = findInnerSchemas(schemas, step, root);
    return isInSecret && isName ? "(secret)" : step;
  });
}

/**
 * Returns whether a list fits no tuple of these schemas, judged by the number and types of its elements. If so, each
 * element may belong at another position.
 */
function isShifted(value: unknown, schemas: readonly JsonSchema[], root: JsonSchema): boolean {
  const tuples = schemas.filter(({ prefixItems }) => prefixItems !== undefined);
  if (!Array.isArray(value) || tuples.length === 0) return false;
  const list: unknown[] = value;
  return tuples.every(({ prefixItems = [], minItems = 0, maxItems = Infinity }) => {
    if (list.length < minItems || list.length > maxItems) return true;
    return list.some((each, index) => {
      const item = prefixItems[index];
      return item !== undefined && !isTyped(each, withAlternatives([item], root));
    });
  });
}

/**
 * Returns whether an object or a list is where no schema allows one. Parts of it may have been meant for another
 * location.
 */
function isMisplaced(value: unknown, schemas: readonly JsonSchema[]): boolean {
  return typeof value === "object" && value !== null && !isTyped(value, schemas);
}

/** Returns whether any schema allows values of this type. */
function isTyped(value: unknown, schemas: readonly JsonSchema[]): boolean {
  return schemas.some((schema) =>
    schema.type === undefined
      ? !CHOICES.some((keyword) => schema[keyword] !== undefined)
      : isTypeAllowed(getJsonType(value), schema.type),
  );
}

/** Keywords of schemas without a type whose values are limited, or described by another schema. */
const CHOICES = ["$ref", "anyOf", "oneOf", "allOf", "enum", "const"];

function isSecret(schema: JsonSchema): boolean {
  return schema.writeOnly === true;
}

function reachesSecrets(schema: JsonSchema, root: JsonSchema): boolean {
  const text = JSON.stringify(schema);
  return text.includes(MARK) || (REFERENCE.test(text) && JSON.stringify(root).includes(MARK));
}

/** Returns the schemas and all their alternatives, without duplicates, with references resolved. */
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

/** Returns the schemas of a member or an item, with all their alternatives. */
function findInnerSchemas(
  schemas: readonly JsonSchema[],
  step: string | number,
  root: JsonSchema,
): JsonSchema[] {
  const name = String(step);
  const inner = schemas.flatMap((schema) => {
    const item = /^\d+$/.test(name) && (schema.prefixItems?.[Number(name)] ?? schema.items);
    return [...(isObject(item) ? [item as JsonSchema] : []), ...findMemberSchemas(schema, name)];
  });
  return withAlternatives(inner, root);
}

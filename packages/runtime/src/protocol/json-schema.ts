import { isObject } from "./jsonrpc.js";

/** Keywords that limit numbers. */
export interface NumberLimits {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
}

/** Part of JSON Schema 2020-12 that Tenon reads and writes. Schemas that authors write may have any other keyword. */
export interface JsonSchema extends NumberLimits {
  $schema?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: JsonTypeName | JsonTypeName[];
  title?: string;
  description?: string;
  default?: JsonValue;
  examples?: JsonValue[];
  deprecated?: boolean;
  enum?: JsonValue[];
  const?: JsonValue;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  minProperties?: number;
  maxProperties?: number;
  items?: boolean | JsonSchema;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  contentEncoding?: string;
  contentMediaType?: string;
  [keyword: string]: unknown;
}

export type JsonTypeName = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/**
 * Returns the JSON type of a value; integers are `"integer"`. Returns `undefined` for values that JSON cannot
 * represent.
 */
export function getJsonType(value: unknown): JsonTypeName | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "number") {
    if (Number.isInteger(value)) return "integer";
    return Number.isFinite(value) ? "number" : undefined;
  }
  return type === "string" || type === "boolean" || type === "object" ? type : undefined;
}

/** Returns whether a value of JSON type `type` matches `allowed`. */
export function isTypeAllowed(
  type: JsonTypeName | undefined,
  allowed: JsonTypeName | readonly (JsonTypeName | undefined)[],
): boolean {
  const names: readonly (JsonTypeName | undefined)[] = typeof allowed === "string" ? [allowed] : allowed;
  return type !== undefined && (names.includes(type) || (type === "integer" && names.includes("number")));
}

/** Returns the only values that a schema allows, or undefined if they are not listed. */
export function getConstants({ enum: choices, const: constant }: JsonSchema): JsonValue[] | undefined {
  return choices ?? (constant === undefined ? undefined : [constant]);
}

/** Returns whether a schema's `type` allows neither objects nor arrays. */
export function isScalarSchema({ type }: JsonSchema): boolean {
  return type !== undefined && [type].flat().every((name) => name !== "object" && name !== "array");
}

/** The empty schema, which accepts every value. */
export const ANY_VALUE: JsonSchema = /* @__PURE__ */ Object.freeze({});

/** Follows local references. Returns an empty schema for a reference that is circular or has no target. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; getReference(current) !== undefined; hops++) {
    if (hops === 32) return ANY_VALUE;
    current = findTarget(current, root) ?? ANY_VALUE;
  }
  return current;
}

/**
 * Finds the target of a schema's reference: `#/$defs/Node` by its path, `#node` by its anchor. Inside one schema,
 * dynamic references are treated as plain ones.
 *
 * @returns undefined if the schema has no reference, or the target is not in `root`
 */
export function findTarget(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const reference = getReference(schema);
  if (reference === undefined) return undefined;
  const [resource = "", anchor = ""] = reference.split("#");
  const document = resource === "" ? root : findNamedPart(root, ["$id"], resource);
  if (document === undefined || anchor === "") return document;
  return anchor.startsWith("/")
    ? getPartAtPointer(document, `#${anchor}`)
    : findNamedPart(document, ["$anchor", "$dynamicAnchor"], anchor);
}

function getReference({ $ref, $dynamicRef }: JsonSchema): string | undefined {
  return $ref ?? ($dynamicRef as string | undefined);
}

/** Finds the part that has this name in one of the keywords. */
function findNamedPart(schema: unknown, keywords: readonly string[], name: string): JsonSchema | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if (isObject(schema) && keywords.some((keyword) => schema[keyword] === name)) return schema;
  for (const inner of Object.values(schema)) {
    const found = findNamedPart(inner, keywords, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the part of `root` at a local JSON pointer such as `#/$defs/Node`. */
function getPartAtPointer(root: JsonSchema, pointer: string): JsonSchema | undefined {
  if (pointer !== "#" && !pointer.startsWith("#/")) return undefined;
  let current: unknown = root;
  for (const token of pointer.split("/").slice(1)) {
    const name = unescapePointer(token);
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return isObject(current) ? current : undefined;
}

/** Decodes one pointer token, from a URI fragment or a plain pointer. */
function unescapePointer(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A plain pointer may contain a lone percent sign.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

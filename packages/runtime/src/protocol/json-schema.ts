import { isObject } from "./jsonrpc.js";

/** The part of JSON Schema 2020-12 that Tenon writes and reads. Escape-hatch schemas may hold any other keyword. */
export interface JsonSchema {
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
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
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

/** The JSON type of a value, with whole numbers as `"integer"`; `undefined` for what JSON cannot carry. */
export function typeOf(value: unknown): JsonTypeName | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  if (type === "number") {
    if (Number.isInteger(value)) return "integer";
    return Number.isFinite(value) ? "number" : undefined;
  }
  return type === "string" || type === "boolean" || type === "object" ? type : undefined;
}

/** True when a value of JSON type `type` is what `allowed` names. */
export function isTypeAllowed(
  type: JsonTypeName | undefined,
  allowed: JsonTypeName | readonly (JsonTypeName | undefined)[],
): boolean {
  const names: readonly (JsonTypeName | undefined)[] = typeof allowed === "string" ? [allowed] : allowed;
  return type !== undefined && (names.includes(type) || (type === "integer" && names.includes("number")));
}

/** True for a schema whose `type` allows neither objects nor arrays. */
export function isScalarSchema({ type }: JsonSchema): boolean {
  return type !== undefined && [type].flat().every((name) => name !== "object" && name !== "array");
}

/** A schema that says nothing. */
export const NOTHING: JsonSchema = /* @__PURE__ */ Object.freeze({});

/** Follows local references. One that leads nowhere, or around in a circle, says nothing. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; referenceOf(current) !== undefined; hops++) {
    if (hops === 32) return NOTHING;
    current = targetOf(current, root) ?? NOTHING;
  }
  return current;
}

/**
 * What the reference of a schema leads to: `#/$defs/Node` by its place, `#node` by its anchor. Inside one schema,
 * dynamic references lead where plain ones do.
 *
 * @returns undefined for schemas that are no reference, and for references that lead elsewhere
 */
export function targetOf(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const reference = referenceOf(schema);
  if (reference === undefined) return undefined;
  const [resource = "", anchor = ""] = reference.split("#");
  const document = resource === "" ? root : partNamed(root, ["$id"], resource);
  if (document === undefined || anchor === "") return document;
  return anchor.startsWith("/")
    ? atPointer(document, `#${anchor}`)
    : partNamed(document, ["$anchor", "$dynamicAnchor"], anchor);
}

function referenceOf({ $ref, $dynamicRef }: JsonSchema): string | undefined {
  return $ref ?? ($dynamicRef as string | undefined);
}

/** The part that one of the keywords gives a name. */
function partNamed(schema: unknown, keywords: readonly string[], name: string): JsonSchema | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if (isObject(schema) && keywords.some((keyword) => schema[keyword] === name)) return schema;
  for (const inner of Object.values(schema)) {
    const found = partNamed(inner, keywords, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The part of `root` at a local JSON pointer such as `#/$defs/Node`. */
export function atPointer(root: JsonSchema, pointer: string): JsonSchema | undefined {
  if (pointer !== "#" && !pointer.startsWith("#/")) return undefined;
  let current: unknown = root;
  for (const token of pointer.split("/").slice(1)) {
    const name = unescapePointer(token);
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return isObject(current) ? current : undefined;
}

/** Undoes the escapes of one pointer token, in a URI fragment or plain. */
function unescapePointer(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A plain pointer may hold a lone percent sign.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

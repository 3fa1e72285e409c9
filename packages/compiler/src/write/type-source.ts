import type { JsonSchema } from "@tenon/runtime/manifest";
import { findReferenced } from "../json-schema/definitions.js";
import { withCurrentTuple } from "../json-schema/earlier-tuples.js";
import { listChoices } from "../json-schema/enumeration.js";
import { isSchema } from "../json-schema/walk.js";
import { writeDocComment } from "./doc-source.js";
import type { TypeNames } from "./type-names.js";

type Schema = JsonSchema | boolean | undefined;

/** Converts schemas to types in TypeScript source. */
export interface TypeSource {
  /**
   * Returns the type of a schema's values. The caller adds tags to the declaration.
   *
   * @param hint a name for types that must be declared for it
   */
  toType(schema: Schema, hint: string): string;
  /** Returns the members of an object type, without braces. */
  toMembers(schema: JsonSchema, hint: string): string;
}

/**
 * Creates a converter from schemas to types.
 *
 * @param root the schema that resolves `$ref`
 * @param listTags returns the tags of a schema; empty if the schema is included unchanged
 * @param declare declares a type that needs a name: a recursive one, or one with its own tags
 * @param bytes the type of base64 values, which remain text unless they are converted
 */
export function createTypeSource(
  root: JsonSchema,
  names: TypeNames,
  declare: (name: string, comment: string, text: string) => void,
  listTags: (schema: JsonSchema) => readonly string[],
  bytes: "Uint8Array" | "string" = "Uint8Array",
): TypeSource {
  /** The names of declared types, by reference. A reference to one of them ends a recursion. */
  const namesByReference = new Map<string, string>();
  /** Types that refer to themselves, and those that are still being declared. */
  const recursive = new Set<string>();
  /** The number of references to them. */
  let recursions = 0;

  const toType = (given: Schema, hint: string): string => {
    if (!isSchema(given)) return given === false ? "never" : "unknown";
    const schema = withCurrentTuple(given);
    const { $ref, anyOf, oneOf, allOf, type } = schema;
    if ($ref !== undefined) return toReference($ref, hint);
    const values = listChoices(schema);
    // A required member of the type `never` would make the whole object `never`.
    if (values !== undefined) return values.map(toLiteral).join(" | ") || "unknown";
    const choices = anyOf ?? oneOf;
    if (choices !== undefined)
      return toUnion(choices.map((choice, index) => toTaggedType(choice, `${hint}${index + 1}`)));
    if (allOf !== undefined) return toIntersection(schema, hint);
    if (Array.isArray(type)) return toUnion(type.map((each) => toType({ ...schema, type: each }, hint)));
    if (type === "string" && schema.format === "byte" && schema.contentEncoding === "base64") return bytes;
    if (type === "array" || (type === undefined && schema.prefixItems !== undefined))
      return toList(schema, hint);
    if (type === "object" || (type === undefined && schema.properties !== undefined))
      return toObject(schema, hint);
    return SCALARS[type ?? ""] ?? "unknown";
  };

  const toIntersection = ({ allOf = [], ...own }: JsonSchema, hint: string): string => {
    const limitsItself = own.properties !== undefined || (own.type !== undefined && own.type !== "object");
    const parts = [...allOf, ...(limitsItself ? [own] : [])];
    const texts = parts.map((part, index) => parenthesize(toType(part, `${hint}${index + 1}`)));
    return texts.filter((text) => text !== "unknown").join(" & ") || "unknown";
  };

  const toObject = (schema: JsonSchema, hint: string): string => {
    const { properties = {}, required = [] } = schema;
    if (Object.keys(properties).length + required.length > 0) return `{\n${toMembers(schema, hint)}}`;
    const before = recursions;
    const value = toOthers(schema, hint);
    // TypeScript resolves the arguments of `Record` at once, so a type cannot refer to itself there.
    return recursions > before ? `{ [name: string]: ${value} }` : `Record<string, ${value}>`;
  };

  const toMembers = (schema: JsonSchema, hint: string): string => {
    const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema;
    const members = Object.entries(properties).map(([name, member]) => {
      const mark = required.includes(name) ? "" : "?";
      const comment = isSchema(member) ? writeDocComment(member.description, listTags(member)) : "";
      return `${comment}${toPropertyName(name)}${mark}: ${toType(member, hint + names.toPascalCase(name))};\n`;
    });
    for (const name of new Set(required))
      if (!Object.hasOwn(properties, name)) members.push(`${toPropertyName(name)}: unknown;\n`);
    const isOpen =
      additionalProperties === true ||
      isSchema(additionalProperties) ||
      Object.keys(patternProperties).length > 0;
    // All members must fit the index signature, so it has a specific type only if there are no other members.
    if (isOpen && members.length > 0) members.push("[name: string]: unknown;\n");
    else if (isOpen) members.push(`[name: string]: ${toOthers(schema, hint)};\n`);
    return members.join("");
  };

  /** Returns the type of the properties that a schema does not name. */
  const toOthers = (
    { patternProperties = {}, additionalProperties = true }: JsonSchema,
    hint: string,
  ): string => {
    const schemas = [...Object.values(patternProperties), additionalProperties];
    const types = schemas.filter((each) => each !== false).map((each) => toType(each, `${hint}Value`));
    return toUnion(types) || "never";
  };

  const toList = (schema: JsonSchema, hint: string): string => {
    const { prefixItems, items, minItems = 0, maxItems } = schema;
    if (prefixItems === undefined) return `${parenthesize(toTaggedType(items, `${hint}Item`))}[]`;
    const elements = prefixItems.map((each, index) => {
      return `${parenthesize(toType(each, `${hint}${index + 1}`))}${index < minItems ? "" : "?"}`;
    });
    const isClosed = items === false || maxItems === prefixItems.length;
    return `[${[...elements, ...(isClosed ? [] : [`...${parenthesize(toType(items, `${hint}Rest`))}[]`])].join(", ")}]`;
  };

  /** Returns a nested type. One with a description or tags is declared under its own name, because it cannot have a comment. */
  const toTaggedType = (schema: Schema, hint: string): string => {
    const text = toType(schema, hint);
    if (!isSchema(schema)) return text;
    const tags = listTags(schema);
    if (tags.length === 0 && schema.description === undefined) return text;
    if (schema.$ref !== undefined) return text;
    const name = names.create(hint);
    declare(name, writeDocComment(schema.description, tags), text);
    return name;
  };

  const toReference = (reference: string, hint: string): string => {
    const known = namesByReference.get(reference);
    if (known !== undefined) {
      if (recursive.has(known)) recursions += 1;
      return known;
    }
    const target = findReferenced(root, reference);
    if (target === undefined || includesItself(root, reference)) return "unknown";
    const name = names.create(reference === "#" ? hint : (reference.split("/").at(-1) ?? hint));
    namesByReference.set(reference, name);
    const comment = writeDocComment(target.description, listTags(target));
    recursive.add(name);
    const before = recursions;
    const text = toType(target, name);
    if (recursions === before) recursive.delete(name);
    declare(name, comment, text);
    return name;
  };

  return { toType, toMembers };
}

/**
 * Returns whether a reference leads back to itself without a member or an item in between. Such a definition limits nothing,
 * and TypeScript rejects it as a type.
 */
function includesItself(root: JsonSchema, reference: string): boolean {
  const reached = new Set<string>();
  const visit = (schema: Schema): void => {
    if (!isSchema(schema)) return;
    const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
    if ($ref === undefined) [...anyOf, ...oneOf, ...allOf].forEach(visit);
    else if (!reached.has($ref)) {
      reached.add($ref);
      visit(findReferenced(root, $ref));
    }
  };
  visit(findReferenced(root, reference));
  return reached.has(reference);
}

const SCALARS: Record<string, string> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

function toUnion(types: readonly string[]): string {
  return [...new Set(types)].map((text) => (text.includes(" & ") ? `(${text})` : text)).join(" | ");
}

/** Puts a compound type in parentheses, so that it can be part of another type. */
function parenthesize(text: string): string {
  return isCompound(text) ? `(${text})` : text;
}

/** Returns the declaration of an exported type. */
export function toDeclaration(name: string, comment: string, text: string): string {
  const isObject = /^\{[^]*\}$/.test(text) && !isCompound(text);
  return `${comment}export ${isObject ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`;
}

/** Returns whether a type is a union or an intersection outside braces, brackets, and strings. */
export function isCompound(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|[{}[\]()<>]|[|&]/g)) {
    if (/^[{[(<]/.test(token)) depth += 1;
    else if (/^[}\])>]/.test(token)) depth -= 1;
    else if (depth === 0 && /^[|&]$/.test(token)) return true;
  }
  return false;
}

/** Returns a scalar as a literal type, and `unknown` for anything else. */
function toLiteral(value: unknown): string {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}

/** Returns a property name as source, quoted if necessary. */
export function toPropertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

import type { JsonSchema } from "@tenon/runtime/manifest";
import { isSchemaObject } from "./schema-object.js";
import { docComment } from "./doc-source.js";
import type { TypeNames } from "./type-names.js";

type Schema = JsonSchema | boolean | undefined;

/** Types as TypeScript source, for schemas that somebody else wrote. */
export interface TypeSource {
  /**
   * The type of a schema's values. What tags say of them is left to whoever writes the declaration.
   *
   * @param hint names the types that have to be declared for it
   */
  typeOf(schema: Schema, hint: string): string;
  /** The members of an object, between braces. */
  membersOf(schema: JsonSchema, hint: string): string;
}

/**
 * @param root where `$ref` is looked up
 * @param tagsOf the tags of a schema, or none where it is carried as it is
 * @param declare takes a type that needs a name: a recursive one, or one with tags of its own
 * @param bytes what values in base64 are to whoever has the type: themselves, where nobody converts them
 */
export function createTypeSource(
  root: JsonSchema,
  names: TypeNames,
  declare: (name: string, comment: string, text: string) => void,
  tagsOf: (schema: JsonSchema) => readonly string[],
  bytes: "Uint8Array" | "string" = "Uint8Array",
): TypeSource {
  /** By reference, so that recursion ends. */
  const referred = new Map<string, string>();

  const typeOf = (schema: Schema, hint: string): string => {
    if (!isSchemaObject(schema)) return schema === false ? "never" : "unknown";
    const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema;
    if ($ref !== undefined) return referenceTo($ref, hint);
    if (schema.const !== undefined) return literal(schema.const);
    if (values !== undefined) return values.map(literal).join(" | ");
    const choices = anyOf ?? oneOf;
    if (choices !== undefined)
      return unionOf(choices.map((choice, index) => tagged(choice, `${hint}${index + 1}`)));
    if (allOf !== undefined)
      return allOf.map((part, index) => inParentheses(typeOf(part, `${hint}${index + 1}`))).join(" & ");
    if (Array.isArray(type)) return unionOf(type.map((each) => typeOf({ ...schema, type: each }, hint)));
    if (type === "string" && schema.format === "byte" && schema.contentEncoding === "base64") return bytes;
    if (type === "array" || (type === undefined && schema.prefixItems !== undefined))
      return listOf(schema, hint);
    if (type === "object" || (type === undefined && schema.properties !== undefined))
      return objectOf(schema, hint);
    return SCALARS[type ?? ""] ?? "unknown";
  };

  const objectOf = (schema: JsonSchema, hint: string): string => {
    const { additionalProperties } = schema;
    if (Object.keys(schema.properties ?? {}).length > 0) return `{\n${membersOf(schema, hint)}}`;
    if (additionalProperties === false) return "Record<string, never>";
    return `Record<string, ${typeOf(additionalProperties, `${hint}Value`)}>`;
  };

  const membersOf = (schema: JsonSchema, hint: string): string => {
    const { properties = {}, required = [], additionalProperties } = schema;
    const members = Object.entries(properties).map(([name, member]) => {
      const mark = required.includes(name) ? "" : "?";
      const comment = isSchemaObject(member) ? docComment(member.description, tagsOf(member)) : "";
      return `${comment}${propertyName(name)}${mark}: ${typeOf(member, hint + names.pascal(name))};\n`;
    });
    const isOpen = additionalProperties === true || isSchemaObject(additionalProperties);
    // All members must fit the signature, so it says what they are only where there is nothing else.
    if (isOpen && members.length > 0) members.push("[name: string]: unknown;\n");
    else if (isOpen) members.push(`[name: string]: ${typeOf(additionalProperties, `${hint}Value`)};\n`);
    return members.join("");
  };

  const listOf = (schema: JsonSchema, hint: string): string => {
    const { prefixItems, items, minItems = 0, maxItems } = schema;
    if (prefixItems === undefined) return `${inParentheses(tagged(items, `${hint}Item`))}[]`;
    const places = prefixItems.map((each, index) => {
      return `${inParentheses(typeOf(each, `${hint}${index + 1}`))}${index < minItems ? "" : "?"}`;
    });
    const isClosed = items === false || maxItems === prefixItems.length;
    return `[${[...places, ...(isClosed ? [] : [`...${inParentheses(typeOf(items, `${hint}Rest`))}[]`])].join(", ")}]`;
  };

  /** A type inside of another has no comment, so one with tags gets a name. */
  const tagged = (schema: Schema, hint: string): string => {
    const text = typeOf(schema, hint);
    if (!isSchemaObject(schema)) return text;
    const tags = tagsOf(schema);
    if (tags.length === 0 && schema.description === undefined) return text;
    if (schema.$ref !== undefined) return text;
    const name = names.fresh(hint);
    declare(name, docComment(schema.description, tags), text);
    return name;
  };

  const referenceTo = (reference: string, hint: string): string => {
    const known = referred.get(reference);
    if (known !== undefined) return known;
    const target = targetOf(root, reference);
    if (target === undefined) return "unknown";
    const name = names.fresh(reference === "#" ? hint : (reference.split("/").at(-1) ?? hint));
    referred.set(reference, name);
    const comment = isSchemaObject(target) ? docComment(target.description, tagsOf(target)) : "";
    declare(name, comment, typeOf(target, name));
    return name;
  };

  return { typeOf, membersOf };
}

const SCALARS: Record<string, string> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

/** The part of a schema that a reference within it names. */
function targetOf(root: JsonSchema, reference: string): Schema {
  if (!reference.startsWith("#")) return undefined;
  const path = reference.slice(1).split("/").slice(1);
  const names = path.map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce<unknown>(
    (part, name) => (Object(part) as Record<string, unknown>)[name],
    root,
  ) as Schema;
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].map((text) => (text.includes(" & ") ? `(${text})` : text)).join(" | ");
}

/** As part of another type. */
function inParentheses(text: string): string {
  return isCompound(text) ? `(${text})` : text;
}

/** A type under a name of its own, exported. */
export function declarationOf(name: string, comment: string, text: string): string {
  const isObject = /^\{[^]*\}$/.test(text) && !isCompound(text);
  return `${comment}export ${isObject ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`;
}

/** True for a union or an intersection; those inside of braces, brackets and texts do not count. */
export function isCompound(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|[{}[\]()<>]|[|&]/g)) {
    if (/^[{[(<]/.test(token)) depth += 1;
    else if (/^[}\])>]/.test(token)) depth -= 1;
    else if (depth === 0 && /^[|&]$/.test(token)) return true;
  }
  return false;
}

/** Strings and numbers as TypeScript has them; of anything else, its type. */
function literal(value: unknown): string {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

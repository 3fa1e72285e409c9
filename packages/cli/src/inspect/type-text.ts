import { findKeyword, LIMITS } from "@tenon/compiler/keywords";
import type { JsonSchema } from "@tenon/runtime/manifest";

/** Maximum depth of members. Deeper ones are shown as `{ … }`. */
const MAX_DEPTH = 3;

/** Maximum length of a pattern. Template literal types create long ones. */
const MAX_PATTERN_CHARACTERS = 40;

/** Maximum length of a type, about ten lines. Longer types are shown as outlines. */
const MAX_OUTLINE_CHARACTERS = 800;

/** Maximum number of members of an object in a long outline. */
const MAX_OUTLINE_MEMBERS = 20;

/** Formats a type like `formatType`, or a large one, such as a library's, as an outline with fewer levels. */
export function formatOutline(schema: JsonSchema | undefined): string {
  for (let depth = MAX_DEPTH; depth > 0; depth--) {
    const text = formatType(schema, depth);
    if (text.length <= MAX_OUTLINE_CHARACTERS) return text;
  }
  return formatType(schema, 1, MAX_OUTLINE_MEMBERS);
}

/**
 * Formats a schema as a short TypeScript type.
 *
 * @example
 * formatType({ type: "array", items: { enum: ["a", "b"] } }) // '("a" | "b")[]'
 * formatType({ type: "integer", minimum: 1, maximum: 14 })    // 'integer 1…14'
 *
 * @param depth the number of levels to show
 * @param maxMembers the number of members to show for each object
 */
export function formatType(
  schema: JsonSchema | boolean | undefined,
  depth = MAX_DEPTH,
  maxMembers = Infinity,
): string {
  if (schema === undefined || schema === true) return "any";
  if (schema === false) return "never";
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => formatType(choice, depth, maxMembers)).join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => formatOperand(part, depth, maxMembers)).join(" & ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => formatType({ ...schema, type }, depth, maxMembers)).join(" | ");
  }
  if (schema.type === "array" || schema.prefixItems) return formatArray(schema, depth, maxMembers);
  if (schema.type === "object" || schema.properties) return formatObject(schema, depth, maxMembers);
  if (!schema.type) return "any";
  return [schema.type, ...listConstraints(schema)].join(" ");
}

function formatArray(schema: JsonSchema, depth: number, maxMembers: number): string {
  if (schema.prefixItems) {
    const { minItems = 0, maxItems = Infinity } = schema;
    const items = schema.prefixItems.map(
      (item, index) => `${formatType(item, depth, maxMembers)}${index < minItems ? "" : "?"}`,
    );
    if (schema.items && maxItems > items.length)
      items.push(`…${formatListType(schema.items, depth, maxMembers)}`);
    return `[${items.join(", ")}]`;
  }
  return formatListType(schema.items, depth, maxMembers);
}

function formatListType(items: JsonSchema | boolean | undefined, depth: number, maxMembers: number): string {
  return `${formatOperand(items, depth, maxMembers)}[]`;
}

/** Formats a type as an operand, in parentheses if needed. */
function formatOperand(schema: JsonSchema | boolean | undefined, depth: number, maxMembers: number): string {
  const text = formatType(schema, depth, maxMembers);
  return isCompound(schema, text) ? `(${text})` : text;
}

function isCompound(schema: JsonSchema | boolean | undefined, text: string): boolean {
  if (typeof schema !== "object" || schema.$ref || schema.const !== undefined) return false;
  const { enum: values, anyOf, oneOf, allOf, type } = schema;
  const parts = values ?? anyOf ?? oneOf ?? allOf ?? (Array.isArray(type) ? type : undefined);
  if (parts) return parts.length > 1;
  // A type with its limits: `integer 1…14`.
  return text.includes(" ") && !/^[{[]/.test(text) && !text.endsWith("[]");
}

function formatObject(schema: JsonSchema, depth: number, maxMembers: number): string {
  const members = Object.entries(schema.properties ?? {});
  const { additionalProperties: rest } = schema;
  const indexed = typeof rest === "object" ? [`[key]: ${formatType(rest, depth - 1, maxMembers)}`] : [];
  if (members.length === 0 && indexed.length === 0) return rest === false ? "{}" : "object";
  if (depth <= 0) return "{ … }";
  const texts = members
    .slice(0, maxMembers)
    .map(
      ([name, member]) =>
        `${name}${schema.required?.includes(name) ? "" : "?"}: ${formatType(member, depth - 1, maxMembers)}`,
    );
  const more = members.length > maxMembers ? [`… ${members.length - maxMembers} more`] : [];
  return `{ ${[...texts, ...more, ...indexed].join(", ")} }`;
}

/** Formats the constraints on values of the schema's type. */
function listConstraints(schema: JsonSchema): string[] {
  if (schema.type === "string") return listTextConstraints(schema);
  return schema.type === "number" || schema.type === "integer" ? listNumberConstraints(schema) : [];
}

function listNumberConstraints(schema: JsonSchema): string[] {
  const { minimum, maximum, ...others } = schema;
  const isRange = minimum !== undefined && maximum !== undefined;
  const limits: JsonSchema = isRange ? others : schema;
  const parts = LIMITS.flatMap((name) =>
    limits[name] === undefined ? [] : (findKeyword(name)?.toSymbol?.(limits[name] as never) ?? []),
  );
  return isRange ? [`${minimum}…${maximum}`, ...parts] : parts;
}

function listTextConstraints({ minLength, maxLength, format, pattern }: JsonSchema): string[] {
  const parts: string[] = [];
  if (minLength !== undefined || maxLength !== undefined)
    parts.push(`${minLength ?? 0}…${maxLength ?? ""} long`);
  if (format) parts.push(`(${format})`);
  if (pattern) parts.push(`/${shorten(pattern)}/`);
  return parts;
}

function shorten(pattern: string): string {
  return pattern.length > MAX_PATTERN_CHARACTERS
    ? `${pattern.slice(0, MAX_PATTERN_CHARACTERS - 1)}…`
    : pattern;
}

import type { JsonSchema } from "@tenon/runtime/manifest";

/** Deeper members are shown as `{ … }`. */
const DEPTH = 3;

/** Longer patterns, such as those of template literal types, are cut: no one reads them in a table. */
const PATTERN_LENGTH = 40;

/** About ten lines of a terminal: of a longer type, people read no more than its outline. */
const OUTLINE_LENGTH = 800;

/** Of an outline that is longer still, how many members of an object are named. */
const OUTLINE_MEMBERS = 20;

/** A type as `typeText` shows it; of a large one, such as a library's, the outline: as many levels as are read at a glance. */
export function outlineText(schema: JsonSchema | undefined): string {
  for (let depth = DEPTH; depth > 0; depth--) {
    const text = typeText(schema, depth);
    if (text.length <= OUTLINE_LENGTH) return text;
  }
  return typeText(schema, 1, OUTLINE_MEMBERS);
}

/**
 * A schema in the shortest words a TypeScript author would use for it.
 *
 * @example
 * typeText({ type: "array", items: { enum: ["a", "b"] } }) // '("a" | "b")[]'
 * typeText({ type: "integer", minimum: 1, maximum: 14 })    // 'integer 1…14'
 *
 * @param depth how many levels of objects are shown
 * @param most how many members of each are
 */
export function typeText(schema: JsonSchema | boolean | undefined, depth = DEPTH, most = Infinity): string {
  if (schema === undefined || schema === true) return "any";
  if (schema === false) return "never";
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? schema.$ref;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => typeText(choice, depth, most)).join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => operandText(part, depth, most)).join(" & ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeText({ ...schema, type }, depth, most)).join(" | ");
  }
  if (schema.type === "array" || schema.prefixItems) return arrayText(schema, depth, most);
  if (schema.type === "object" || schema.properties) return objectText(schema, depth, most);
  if (!schema.type) return "any";
  return [schema.type, ...constraints(schema)].join(" ");
}

function arrayText(schema: JsonSchema, depth: number, most: number): string {
  if (schema.prefixItems) {
    const { minItems = 0, maxItems = Infinity } = schema;
    const items = schema.prefixItems.map(
      (item, index) => `${typeText(item, depth, most)}${index < minItems ? "" : "?"}`,
    );
    if (schema.items && maxItems > items.length) items.push(`…${listText(schema.items, depth, most)}`);
    return `[${items.join(", ")}]`;
  }
  return listText(schema.items, depth, most);
}

function listText(items: JsonSchema | boolean | undefined, depth: number, most: number): string {
  return `${operandText(items, depth, most)}[]`;
}

/** A type as it stands beside an operator that binds more tightly than what it consists of. */
function operandText(schema: JsonSchema | boolean | undefined, depth: number, most: number): string {
  const text = typeText(schema, depth, most);
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

function objectText(schema: JsonSchema, depth: number, most: number): string {
  const members = Object.entries(schema.properties ?? {});
  const { additionalProperties: rest } = schema;
  const indexed = typeof rest === "object" ? [`[key]: ${typeText(rest, depth - 1, most)}`] : [];
  if (members.length === 0 && indexed.length === 0) return rest === false ? "{}" : "object";
  if (depth <= 0) return "{ … }";
  const texts = members
    .slice(0, most)
    .map(
      ([name, member]) =>
        `${name}${schema.required?.includes(name) ? "" : "?"}: ${typeText(member, depth - 1, most)}`,
    );
  const more = members.length > most ? [`… ${members.length - most} more`] : [];
  return `{ ${[...texts, ...more, ...indexed].join(", ")} }`;
}

/** The constraints on values of the schema's own type; beside `string`, `null` has no format. */
function constraints(schema: JsonSchema): string[] {
  if (schema.type === "string") return textConstraints(schema);
  return schema.type === "number" || schema.type === "integer" ? numberConstraints(schema) : [];
}

function numberConstraints(schema: JsonSchema): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const words: string[] = [];
  if (minimum !== undefined && maximum !== undefined) words.push(`${minimum}…${maximum}`);
  else if (minimum !== undefined) words.push(`≥ ${minimum}`);
  else if (maximum !== undefined) words.push(`≤ ${maximum}`);
  if (exclusiveMinimum !== undefined) words.push(`> ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined) words.push(`< ${exclusiveMaximum}`);
  if (multipleOf !== undefined) words.push(`step ${multipleOf}`);
  return words;
}

function textConstraints({ minLength, maxLength, format, pattern }: JsonSchema): string[] {
  const words: string[] = [];
  if (minLength !== undefined || maxLength !== undefined)
    words.push(`${minLength ?? 0}…${maxLength ?? ""} long`);
  if (format) words.push(`(${format})`);
  if (pattern) words.push(`/${shortened(pattern)}/`);
  return words;
}

function shortened(pattern: string): string {
  return pattern.length > PATTERN_LENGTH ? `${pattern.slice(0, PATTERN_LENGTH - 1)}…` : pattern;
}

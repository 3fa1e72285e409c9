import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../project/typescript.js";
import { intoDescription, withSentence } from "../json-schema/keyword-sentences.js";
import { memberComment } from "../jsdoc/member-comments.js";
import { literalValue } from "../schema/families/literals.js";
import type { FormContext } from "./form-context.js";

/** Marks what cannot be a field, with the reason and the edit to make. */
export const NOT_A_FIELD = Symbol("not a field");

type Refusal = { [NOT_A_FIELD]: { reason: string; edit: string } };

/**
 * The keywords that each kind of field may have. The answer is checked against all others, too, so that those of them
 * which say what to enter are told in the description.
 */
const COMMON = ["title", "description", "default"] as const;
const OF_TEXT = [...COMMON, "minLength", "maxLength"] as const;
const OF_NUMBERS = [...COMMON, "minimum", "maximum"] as const;
const OF_LISTS = [...COMMON, "minItems", "maxItems"] as const;
const OF_TEXT_IN_WORDS = ["pattern"] as const;
const OF_NUMBERS_IN_WORDS = ["exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;
const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

const WHOLE = "Ask for its properties as fields of their own, or in another question.";
const CHOICE = "Use string literals, or an enum whose members are strings.";

/**
 * One property of the form.
 *
 * @param schema as derived from the property's type
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function formField(
  schema: JsonSchema,
  symbol: ts.Symbol,
  type: ts.Type,
  context: FormContext,
): JsonSchema | Refusal {
  const { type: kind } = schema;
  switch (kind) {
    case "string":
      return textField(schema, symbol, type, context);
    case "boolean":
      return withWords({ type: "boolean", ...pick(schema, COMMON) }, schema, ["enum"]);
    case "number":
    case "integer":
      if (schema.enum) return refuse("a choice of numbers, and forms have only choices of strings", CHOICE);
      return withWords({ type: kind, ...pick(schema, OF_NUMBERS) }, schema, OF_NUMBERS_IN_WORDS);
    case "array":
      return listField(schema, type, context);
    case "object":
      return refuse("an object, but forms are not nested", WHOLE);
    default: {
      // `"" | Link`: a text field, whose answer is checked against the alternatives.
      if (schema.anyOf?.every((each) => each.type === "string"))
        return alternativeTexts(schema, schema.anyOf);
      const isNullable = Array.isArray(kind) && kind.includes("null");
      return isNullable || schema.anyOf?.some((each) => each.type === "null") === true
        ? refuse("but a person cannot enter `null`", "Make it optional: `?` instead of `| null`.")
        : refuse("but a field has only one type", "Choose one type, or ask in another question.");
    }
  }
}

function textField(
  schema: JsonSchema,
  symbol: ts.Symbol,
  type: ts.Type,
  context: FormContext,
): JsonSchema | Refusal {
  if (schema.contentEncoding !== undefined) {
    return refuse("but a person cannot type bytes", "Ask for a URL or a path instead.");
  }
  if (!schema.enum) {
    const field: JsonSchema = { type: "string", ...pick(schema, OF_TEXT) };
    return FORMATS.has(schema.format)
      ? withWords({ ...field, format: schema.format as string }, schema, OF_TEXT_IN_WORDS)
      : withWords(field, schema, ["format", ...OF_TEXT_IN_WORDS]);
  }
  const titled = titledChoices(schema.enum, type, context);
  if (titled) return { type: "string", ...pick(schema, COMMON), oneOf: titled };
  const enumNames = legacyNames(symbol, context);
  if (enumNames && enumNames.length !== schema.enum.length)
    return refuse(
      `a choice of ${schema.enum.length}, and \`@enumNames\` has ${enumNames.length} names`,
      "Name each choice, in order, with commas between the names and in none.",
    );
  return { type: "string", ...pick(schema, COMMON), enum: schema.enum, ...(enumNames && { enumNames }) };
}

function listField(schema: JsonSchema, type: ts.Type, context: FormContext): JsonSchema | Refusal {
  const { items, prefixItems = [] } = schema;
  const choices = typeof items === "object" && items.type === "string" ? items.enum : undefined;
  if (!choices) {
    return refuse("a list, but forms have only lists of string choices", CHOICE);
  }
  if (prefixItems.some((each) => JSON.stringify(each) !== JSON.stringify(items))) {
    return refuse(
      "a list, but in the lists of forms every item has the same choices",
      'Use a list of one type, such as `("tea" | "milk")[]`, or ask for the first items in fields of their own.',
    );
  }
  const [element] = context.checker.getTypeArguments(present(type, context) as ts.TypeReference);
  const titled = element && titledChoices(choices, element, context);
  return {
    type: "array",
    ...pick(schema, OF_LISTS),
    items: titled ? { anyOf: titled } : { type: "string", enum: choices },
  };
}

/** The choices with the comments of the enum's members as titles, when every member has one. */
function titledChoices(
  values: readonly JsonValue[],
  type: ts.Type,
  context: FormContext,
): JsonSchema[] | undefined {
  const alone = present(type, context);
  const titles = new Map<JsonValue, string>();
  for (const member of alone.isUnion() ? alone.types : [alone]) {
    const declaration = member.symbol?.valueDeclaration;
    const value = literalValue(member);
    if (value === undefined || !declaration || !ts.isEnumMember(declaration)) return undefined;
    const comment = context.cache.comments.commentOf(declaration);
    const title = comment?.tags.find((tag) => tag.name === "title")?.text || comment?.text;
    if (!title) return undefined;
    titles.set(value, title.trim().replaceAll(/\s+/g, " "));
  }
  return values.map((value) => ({ const: value, title: titles.get(value) ?? String(value) }));
}

function present(type: ts.Type, { checker }: FormContext): ts.Type {
  return checker.getNonNullableType(type);
}

/** `@enumNames Option One, Option Two`: how forms named choices before choices had titles. */
function legacyNames(symbol: ts.Symbol, { cache }: FormContext): string[] | undefined {
  const tag = memberComment(symbol, cache.comments)?.tags.find(({ name }) => name === "enumNames");
  return tag?.text.split(",").map((name) => name.trim());
}

/** `"" | Link`: the answer is checked against the alternatives, and the description tells of them. */
function alternativeTexts(schema: JsonSchema, alternatives: readonly JsonSchema[]): JsonSchema {
  const told = alternatives.flatMap(
    (each) => withWords({}, each, ["enum", "format", ...OF_TEXT_IN_WORDS]).description ?? [],
  );
  const field: JsonSchema = { type: "string", ...pick(schema, OF_TEXT) };
  return told.length === alternatives.length ? withSentence(field, told.join(" Or: ")) : field;
}

/** The field, with what some keywords of the schema say at the end of its description. */
function withWords(
  field: JsonSchema,
  schema: JsonSchema,
  keywords: readonly (keyof JsonSchema & string)[],
): JsonSchema {
  return intoDescription({ ...field, ...pick(schema, keywords) }, keywords);
}

function pick(schema: JsonSchema, keywords: readonly (keyof JsonSchema)[]): JsonSchema {
  return Object.fromEntries(
    keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
  );
}

function refuse(reason: string, edit: string): Refusal {
  return { [NOT_A_FIELD]: { reason, edit } };
}

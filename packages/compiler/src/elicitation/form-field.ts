import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../typescript/typescript.js";
import { moveToDescription, withSentence } from "../json-schema/keyword-sentences.js";
import { KEYWORDS, LIMITS } from "../json-schema/keywords.js";
import { getLiteralValue } from "../typescript/literal-value.js";
import type { Report } from "../diagnostics/diagnostic.js";
import type { DocTag } from "../jsdoc/doc-comment.js";
import type { DerivationCache } from "../schema/derivation/derivation-cache.js";
import { findChoiceNames, readChoiceNames } from "./choice-names.js";

/** The context for deriving a form, in addition to its type. */
export interface FormContext {
  checker: ts.TypeChecker;
  cache: DerivationCache;
  report: Report;
  /** The method that asks, as diagnostics name it: `elicit` or `ask`. */
  method: string;
}

/** The context of one form: the tags with names of choices that its fields have used so far. */
export interface FieldContext extends FormContext {
  usedNames: DocTag[];
}

/** Marks a type that cannot be a field, with the reason and the edit to make. */
export const NOT_A_FIELD = Symbol("not a field");

type RejectedField = { [NOT_A_FIELD]: { reason: string; edit: string } };

/**
 * The keywords that each kind of field may have. The answer is also validated against all other keywords. Those that
 * restrict the input, or help with it, are therefore explained in the description.
 */
const COMMON_KEYWORDS = ["title", "description", "default"] as const;
const TEXT_KEYWORDS = [...COMMON_KEYWORDS, "minLength", "maxLength"] as const;
const NUMBER_KEYWORDS = [...COMMON_KEYWORDS, "minimum", "maximum"] as const;
const LIST_KEYWORDS = [...COMMON_KEYWORDS, "minItems", "maxItems"] as const;
const DESCRIBED_KEYWORDS = ["examples", "deprecated"] as const;
const DESCRIBED_TEXT_KEYWORDS = ["pattern"] as const;
const DESCRIBED_NUMBER_KEYWORDS = LIMITS.filter(
  (name) => KEYWORDS[name].of[0] === "number" && !(NUMBER_KEYWORDS as readonly string[]).includes(name),
);
const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

const NESTED_EDIT = "Ask for its properties as separate fields, or in another question.";
const CHOICE_EDIT = "Use string literals, or an enum whose members are strings.";

/**
 * Returns one property of the form.
 *
 * @param schema the schema derived from the property's type
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function deriveField(
  schema: JsonSchema,
  symbol: ts.Symbol,
  type: ts.Type,
  context: FieldContext,
): JsonSchema | RejectedField {
  const field = deriveKind(schema, symbol, type, context);
  return NOT_A_FIELD in field ? field : describeKeywords(field, schema, DESCRIBED_KEYWORDS);
}

function deriveKind(
  schema: JsonSchema,
  symbol: ts.Symbol,
  type: ts.Type,
  context: FieldContext,
): JsonSchema | RejectedField {
  const { type: kind } = schema;
  switch (kind) {
    case "string":
      return deriveTextField(schema, symbol, type, context);
    case "boolean":
      return describeKeywords({ type: "boolean", ...pick(schema, COMMON_KEYWORDS) }, schema, ["enum"]);
    case "number":
    case "integer":
      if (schema.enum)
        return reject("a choice of numbers, and forms have only choices of strings", CHOICE_EDIT);
      return describeKeywords(
        { type: kind, ...pick(schema, NUMBER_KEYWORDS) },
        schema,
        DESCRIBED_NUMBER_KEYWORDS,
      );
    case "array":
      return deriveListField(schema, symbol, type, context);
    case "object":
      return reject("an object, but forms cannot be nested", NESTED_EDIT);
    default: {
      // `"" | Link` becomes a text field. Its answer is validated against the alternatives.
      if (schema.anyOf?.every((each) => each.type === "string"))
        return deriveAlternatives(schema, schema.anyOf);
      const isNullable = Array.isArray(kind) && kind.includes("null");
      return isNullable || schema.anyOf?.some((each) => each.type === "null") === true
        ? reject("but a person cannot enter `null`", "Make it optional: `?` instead of `| null`.")
        : reject("but a field has only one type", "Choose one type, or ask in another question.");
    }
  }
}

function deriveTextField(
  schema: JsonSchema,
  symbol: ts.Symbol,
  type: ts.Type,
  context: FieldContext,
): JsonSchema | RejectedField {
  if (schema.contentEncoding !== undefined) {
    return reject("but a person cannot type bytes", "Ask for a URL or a path instead.");
  }
  if (!schema.enum) {
    const field: JsonSchema = { type: "string", ...pick(schema, TEXT_KEYWORDS) };
    return FORMATS.has(schema.format)
      ? describeKeywords({ ...field, format: schema.format as string }, schema, DESCRIBED_TEXT_KEYWORDS)
      : describeKeywords(field, schema, ["format", ...DESCRIBED_TEXT_KEYWORDS]);
  }
  const enumNames = nameChoices(schema.enum, symbol, type, context);
  if (enumNames && NOT_A_FIELD in enumNames) return enumNames;
  const titled = enumNames ? undefined : findTitledChoices(schema.enum, type, context);
  if (titled) return { type: "string", ...pick(schema, COMMON_KEYWORDS), oneOf: titled };
  return {
    type: "string",
    ...pick(schema, COMMON_KEYWORDS),
    enum: schema.enum,
    ...(enumNames && { enumNames }),
  };
}

function deriveListField(
  schema: JsonSchema,
  symbol: ts.Symbol,
  type: ts.Type,
  context: FieldContext,
): JsonSchema | RejectedField {
  const { items, prefixItems = [] } = schema;
  const choices = typeof items === "object" && items.type === "string" ? items.enum : undefined;
  if (!choices) {
    return reject("a list, but forms support only lists of string choices", CHOICE_EDIT);
  }
  if (prefixItems.some((each) => JSON.stringify(each) !== JSON.stringify(items))) {
    return reject(
      "a list, but all items of a list in a form have the same choices",
      'Use a list of one type, such as `("tea" | "milk")[]`, or ask for the first items in separate fields.',
    );
  }
  if ((schema.minItems ?? 0) > choices.length) {
    return reject(
      `a list of ${choices.length} choices, but \`@minItems\` requires ${schema.minItems}`,
      "Lower `@minItems`, or add choices.",
    );
  }
  const [element] = context.checker.getTypeArguments(toNonNullable(type, context) as ts.TypeReference);
  const names = element && nameChoices(choices, symbol, element, context);
  if (names && NOT_A_FIELD in names) return names;
  const titled = names
    ? choices.map((value, index) => ({ const: value, title: names[index] ?? "" }))
    : element && findTitledChoices(choices, element, context);
  return {
    type: "array",
    ...pick(schema, LIST_KEYWORDS),
    items: titled ? { anyOf: titled } : { type: "string", enum: choices },
  };
}

/** Returns the choices, titled with the comments of the enum's members if every member has one. */
function findTitledChoices(
  values: readonly JsonValue[],
  type: ts.Type,
  context: FieldContext,
): JsonSchema[] | undefined {
  const alone = toNonNullable(type, context);
  const titles = new Map<JsonValue, string>();
  for (const member of alone.isUnion() ? alone.types : [alone]) {
    const declaration = member.symbol?.valueDeclaration;
    const value = getLiteralValue(member);
    if (value === undefined || !declaration || !ts.isEnumMember(declaration)) return undefined;
    const comment = context.cache.comments.getComment(declaration);
    const title = comment?.tags.find((tag) => tag.name === "title")?.text || comment?.text;
    if (!title) return undefined;
    titles.set(value, title.trim().replaceAll(/\s+/g, " "));
  }
  return values.map((value) => ({ const: value, title: titles.get(value) ?? String(value) }));
}

function toNonNullable(type: ts.Type, { checker }: FieldContext): ts.Type {
  return checker.getNonNullableType(type);
}

/** Returns the names that `@enumNames` gives to the choices, in order. */
function nameChoices(
  choices: readonly JsonValue[],
  symbol: ts.Symbol,
  type: ts.Type,
  context: FieldContext,
): string[] | RejectedField | undefined {
  const tag = findChoiceNames(symbol, toNonNullable(type, context), context.cache.types);
  if (!tag) return undefined;
  context.usedNames.push(tag);
  const names = readChoiceNames(tag);
  if (names.length === choices.length) return names;
  return reject(
    `a choice of ${choices.length} values, but \`@enumNames\` has ${names.length} names`,
    "Name each choice in order, separated by commas. A name cannot contain a comma.",
  );
}

/** Derives `"" | Link`: the answer is validated against the alternatives, which the description lists. */
function deriveAlternatives(schema: JsonSchema, alternatives: readonly JsonSchema[]): JsonSchema {
  const descriptions = alternatives.flatMap(
    (each) => describeKeywords({}, each, ["enum", "format", ...DESCRIBED_TEXT_KEYWORDS]).description ?? [],
  );
  const field: JsonSchema = { type: "string", ...pick(schema, TEXT_KEYWORDS) };
  return descriptions.length === alternatives.length
    ? withSentence(field, descriptions.join(" Or: "))
    : field;
}

/** Returns the field, with some of the schema's keywords at the end of its description. */
function describeKeywords(
  field: JsonSchema,
  schema: JsonSchema,
  keywords: readonly (keyof JsonSchema & string)[],
): JsonSchema {
  return moveToDescription({ ...field, ...pick(schema, keywords) }, keywords);
}

function pick(schema: JsonSchema, keywords: readonly (keyof JsonSchema)[]): JsonSchema {
  return Object.fromEntries(
    keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
  );
}

function reject(reason: string, edit: string): RejectedField {
  return { [NOT_A_FIELD]: { reason, edit } };
}

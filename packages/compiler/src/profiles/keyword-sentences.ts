import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";

/** What keywords say, for models that cannot be given them. */
const SENTENCES: Record<string, (value: never) => string> = {
  default: (value: JsonValue) => `Default: ${json(value)}.`,
  examples: (values: JsonValue[]) => `For example: ${values.map((each) => json(each)).join(", ")}.`,
  deprecated: () => "Deprecated.",
  enum: (values: JsonValue[]) => `One of ${values.map((each) => json(each)).join(", ")}.`,
  minimum: (value: number) => `At least ${value}.`,
  maximum: (value: number) => `At most ${value}.`,
  exclusiveMinimum: (value: number) => `More than ${value}.`,
  exclusiveMaximum: (value: number) => `Less than ${value}.`,
  multipleOf: (value: number) => `A multiple of ${value}.`,
  minLength: (value: number) => `At least ${count(value, "character")}.`,
  maxLength: (value: number) => `At most ${count(value, "character")}.`,
  pattern: (value: string) => `Must match the regular expression ${value}`,
  format: (value: string) => `Format: ${value}.`,
  minItems: (value: number) => `At least ${count(value, "item")}.`,
  maxItems: (value: number) => `At most ${count(value, "item")}.`,
  uniqueItems: () => "No item twice.",
  contains: (value: JsonSchema) => `Some items fit this JSON Schema: ${JSON.stringify(value)}.`,
  minContains: (value: number) => `At least ${count(value, "such item")}.`,
  maxContains: (value: number) => `At most ${count(value, "such item")}.`,
  minProperties: (value: number) => `At least ${count(value, "member")}.`,
  maxProperties: (value: number) => `At most ${count(value, "member")}.`,
  contentEncoding: (value: string) => `Encoding: ${value}.`,
  contentMediaType: (value: string) => `Content type: ${value}.`,
};

/**
 * The schema without some keywords, and with what they said at the end of its description.
 *
 * @example
 * intoDescription({ type: "string", description: "A city.", maxLength: 80 }, ["maxLength"])
 * // { type: "string", description: "A city.\nAt most 80 characters." }
 */
export function intoDescription(schema: JsonSchema, keywords: Iterable<string>): JsonSchema {
  const kept: JsonSchema = { ...schema };
  const sentences: string[] = [];
  for (const keyword of keywords) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const sentence = SENTENCES[keyword]?.(schema[keyword] as never);
    if (sentence !== undefined) sentences.push(sentence);
    delete kept[keyword];
  }
  return sentences.length > 0 ? withSentence(kept, sentences.join(" ")) : kept;
}

/** Adds a paragraph to the description. */
export function withSentence(schema: JsonSchema, sentence: string): JsonSchema {
  const description = schema.description ? `${schema.description}\n${sentence}` : sentence;
  return { ...schema, description };
}

function json(value: JsonValue): string {
  return JSON.stringify(value);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

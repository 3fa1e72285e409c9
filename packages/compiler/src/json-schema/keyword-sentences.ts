import type { JsonSchema, Profile } from "@tenon/runtime/manifest";
import { findKeyword, filterKeywords } from "./keywords.js";

/** Returns the keywords that a profile's clients do not accept but sentences can express. */
export function findDescribableKeywords(profile: Exclude<Profile, "portable">): readonly string[] {
  return filterKeywords(
    ({ acceptedBy, toSentence }) => toSentence !== undefined && acceptedBy?.includes(profile) !== true,
  );
}

/**
 * Moves some keywords of a schema to the end of its description, as sentences.
 *
 * @example
 * moveToDescription({ type: "string", description: "A city.", maxLength: 80 }, ["maxLength"])
 * // { type: "string", description: "A city.\nAt most 80 characters." }
 */
export function moveToDescription(schema: JsonSchema, keywords: Iterable<string>): JsonSchema {
  const remaining: JsonSchema = { ...schema };
  const sentences: string[] = [];
  for (const name of keywords) {
    if (!Object.hasOwn(schema, name)) continue;
    const sentence = findKeyword(name)?.toSentence?.(schema[name] as never);
    if (sentence !== undefined) sentences.push(sentence);
    delete remaining[name];
  }
  return sentences.length > 0 ? withSentence(remaining, sentences.join(" ")) : remaining;
}

/** Adds a paragraph to the description. */
export function withSentence(schema: JsonSchema, sentence: string): JsonSchema {
  const description = schema.description ? `${schema.description}\n${sentence}` : sentence;
  return { ...schema, description };
}

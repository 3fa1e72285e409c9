import type { JsonSchema, Profile } from "@tenon/runtime/manifest";
import { keyword, keywordsWhere } from "./keywords.js";

/** The keywords that the clients of a profile do not take, and that words can say. */
export function keywordsInWords(profile: Exclude<Profile, "portable">): readonly string[] {
  return keywordsWhere(
    ({ takenBy, inWords }) => inWords !== undefined && takenBy?.includes(profile) !== true,
  );
}

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
  for (const name of keywords) {
    if (!Object.hasOwn(schema, name)) continue;
    const sentence = keyword(name)?.inWords?.(schema[name] as never);
    if (sentence !== undefined) sentences.push(sentence);
    delete kept[name];
  }
  return sentences.length > 0 ? withSentence(kept, sentences.join(" ")) : kept;
}

/** Adds a paragraph to the description. */
export function withSentence(schema: JsonSchema, sentence: string): JsonSchema {
  const description = schema.description ? `${schema.description}\n${sentence}` : sentence;
  return { ...schema, description };
}

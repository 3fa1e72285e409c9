/**
 * Masks the known secrets of a call, such as its `@secret` arguments, in text that repeats them.
 * @module
 */
import { createCutReplacement, listSpellings } from "../../data/problems/cut-secrets.js";
import { MASK, maskSecrets } from "./mask-secrets.js";

/** The length below which a known secret is only masked as a whole word, such as `12`, which many numbers contain. */
const MIN_PART_CHARACTERS = 6;

/** The number of known secrets above which text is hidden as a whole. Compiling this many takes a quarter of a second. */
const MAX_SECRETS = 10_000;

/** The maximum length of the strings in a pattern. V8 rejects patterns that are several times as long. */
const MAX_PATTERN_CHARACTERS = 20_000;

/** The beginning and the end of a word. An escape of JSON or of a URL before it is not a part of the word, as in `\n12`. */
const WORD_START = String.raw`(?:(?<![A-Za-z\d])|(?<=\\[bfnrt]|\\u[\dA-Fa-f]{4}|%[\dA-Fa-f]{2}))`;
const WORD_END = String.raw`(?![A-Za-z\d])`;

/**
 * Creates a function that masks secrets in a string: known ones, as they are and as they are written in JSON and in
 * URLs; their parts where text was cut off; and those that `maskSecrets` recognizes. It prepares the secrets once, on
 * its first use.
 *
 * @example
 * createKnownMask(["1234"])("The PIN 1234 is wrong.") // "The PIN (secret) is wrong."
 */
export function createKnownMask(known: readonly string[]): (text: string) => string {
  const secrets = new Set(known);
  if (secrets.size > MAX_SECRETS) return () => `(hidden: the call has ${secrets.size} secrets)`;
  let patterns: readonly (string | RegExp)[] | undefined;
  const maskCutParts = createCutReplacement(secrets);
  return (text) => {
    patterns ??= createPatterns(secrets);
    const masked = patterns.reduce<string>((rest, pattern) => rest.replaceAll(pattern, MASK), text);
    return maskSecrets(maskCutParts(masked, () => MASK));
  };
}

/**
 * Creates the patterns in the order in which they are replaced. Of the secrets that begin at the same position, the
 * longest is masked. Of secrets that overlap otherwise, the first is masked, and the rest of the second remains.
 */
function createPatterns(secrets: Iterable<string>): (string | RegExp)[] {
  const spellings = [...new Set([...secrets].flatMap(listSpellings))]
    .filter(Boolean)
    .sort((a, b) => b.length - a.length);
  const firstWord = spellings.findIndex(({ length }) => length < MIN_PART_CHARACTERS);
  const parts = firstWord === -1 ? spellings : spellings.slice(0, firstWord);
  const words = firstWord === -1 ? [] : spellings.slice(firstWord);
  return [
    // A pattern cannot be as long as a file.
    ...parts.filter(({ length }) => length > MAX_PATTERN_CHARACTERS),
    ...createAlternatives(parts.filter(({ length }) => length <= MAX_PATTERN_CHARACTERS)).map((source) =>
      toPattern(source),
    ),
    ...createAlternatives(words).map((source) => toPattern(`${WORD_START}(?:${source})${WORD_END}`)),
  ];
}

/** Returns the sources of patterns that match any of the strings. Each source has a limited length. */
function createAlternatives(texts: readonly string[]): string[] {
  const groups: string[][] = [];
  let characters = Infinity;
  for (const text of texts) {
    characters += text.length;
    if (characters > MAX_PATTERN_CHARACTERS) {
      groups.push([]);
      characters = text.length;
    }
    groups.at(-1)?.push(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  }
  return groups.map((group) => group.join("|"));
}

function toPattern(source: string): RegExp {
  return new RegExp(source, "g");
}

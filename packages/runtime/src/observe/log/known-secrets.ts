/**
 * Masks the known secrets of a call, such as its `@secret` arguments, in text that repeats them.
 * @module
 */
import { MASK, maskSecrets } from "./mask-secrets.js";

/** The length below which a known secret is only masked as a whole word, such as `12`, which many numbers contain. */
const MIN_PART_CHARACTERS = 6;

/** The number of known secrets above which text is hidden as a whole. Compiling so many takes a quarter of a second. */
const MAX_SECRETS = 10_000;

/** The minimum length of a part of a secret that is recognized where text was cut off. */
const MIN_CUT_CHARACTERS = 4;

/** The total length of the secrets above which only the beginning of each secret is searched for parts. */
const MAX_SEARCHED_CHARACTERS = 100_000;

/** Matches where text was cut off, with the quotation mark of the value, as in `"hunter2-sw"... is not valid JSON`. */
const CUT = /(\\?["'`]?(?:…|\.{3})\\?["'`]?)/;

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
  let searched: string | undefined;
  return (text) => {
    patterns ??= createPatterns(secrets);
    const masked = patterns.reduce<string>((rest, pattern) => rest.replaceAll(pattern, MASK), text);
    if (secrets.size === 0 || !CUT.test(masked)) return maskSecrets(masked);
    searched ??= joinSearched(secrets);
    return maskSecrets(maskCutParts(masked, searched));
  };
}

/** Joins the secrets, as they are and as JSON, into one string, which contains every part of a secret. */
function joinSearched(secrets: ReadonlySet<string>): string {
  const max = Math.floor(MAX_SEARCHED_CHARACTERS / secrets.size);
  return [...secrets]
    .map((secret) => secret.slice(0, max))
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .join("\n");
}

/** Masks the parts of secrets directly before and after the positions at which text was cut off. */
function maskCutParts(text: string, searched: string): string {
  const pieces = text.split(CUT);
  return pieces
    .map((piece, index) => {
      if (index % 2 === 1) return piece;
      const isPart = (part: string): boolean => searched.includes(part);
      const first = index === 0 ? 0 : countWhile(piece, (length) => isPart(piece.slice(0, length)));
      const rest = first === 0 ? piece : piece.slice(first);
      const last =
        index === pieces.length - 1 ? 0 : countWhile(rest, (length) => isPart(rest.slice(-length)));
      return `${first === 0 ? "" : MASK}${rest.slice(0, rest.length - last)}${last === 0 ? "" : MASK}`;
    })
    .join("");
}

/** Returns the length of the longest part of a text that fits, or 0 if not even the shortest part does. */
function countWhile({ length: max }: string, fits: (length: number) => boolean): number {
  let length = MIN_CUT_CHARACTERS;
  while (length <= max && fits(length)) length += 1;
  return length === MIN_CUT_CHARACTERS ? 0 : length - 1;
}

/** Creates the patterns in the order in which they are replaced: the longest first, since a secret may be a part of another. */
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

function listSpellings(secret: string): string[] {
  // A surrogate without its pair cannot be encoded.
  const encodable = secret.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(encodable),
    // Forms encode more characters, and a space as `+`.
    new URLSearchParams([["", encodable]]).toString().slice(1),
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

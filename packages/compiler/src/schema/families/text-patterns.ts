/** The end of a hole in a template. */
export type Stop =
  /** At the end of the template, or at its last literal. */
  | { kind: "end" }
  /** At the first occurrence of the literal after the hole. */
  | { kind: "before"; text: string }
  /** After exactly one character, since another hole follows directly. */
  | { kind: "one" };

/** Returns the pattern of one character of a class, except at the start of the literal that ends the hole. */
export function toSinglePattern(characters: string, stop: Stop): string {
  return stop.kind === "before" ? `(?!${escapePattern(stop.text)})${characters}` : characters;
}

/** Returns the pattern of any number of characters of a class, or of exactly one if the hole has only one. */
export function toRepeatedPattern(characters: string, stop: Stop): string {
  if (stop.kind === "one") return characters;
  if (stop.kind === "end") return `${characters}*`;
  // `[^@]*` is a readable equivalent of `(?:(?!@)[\s\S])*`.
  if (characters === "[\\s\\S]" && [...stop.text].length === 1) return `[^${escapeInClass(stop.text)}]*`;
  return `(?:${toSinglePattern(characters, stop)})*`;
}

/**
 * Returns the pattern of the strings that TypeScript accepts for `${number}`: the text of any finite number, including
 * leading zeros and other bases. TypeScript also allows surrounding whitespace, which this pattern excludes.
 */
export function getNumberPattern(stop: Stop): string {
  if (stop.kind === "one") return "\\d";
  const { one, sign, hasPoint } = getAlphabet(stop);
  const digits = `${one("\\d")}+`;
  const exponent = `(?:${one("[eE]")}${sign}${digits})?`;
  const fraction = hasPoint ? `(?:${digits}(?:${one("\\.")}${one("\\d")}*)?|${one("\\.")}${digits})` : digits;
  return `(?:${sign}${fraction}${exponent}|${getBasedPattern(one)})`;
}

/** Returns the pattern of the strings that TypeScript accepts for `${bigint}`. */
export function getBigintPattern(stop: Stop): string {
  if (stop.kind === "one") return "\\d";
  const { one } = getAlphabet(stop);
  const minus = stop.kind === "before" && stop.text === "-" ? "" : `${one("-")}?`;
  return `${minus}(?:${one("0")}|${one("[1-9]")}${one("\\d")}*|${getBasedPattern(one)})`;
}

function getBasedPattern(one: (characters: string) => string): string {
  const zero = one("0");
  return (
    `${zero}${one("[xX]")}${one("[\\da-fA-F]")}+|` +
    `${zero}${one("[oO]")}${one("[0-7]")}+|${zero}${one("[bB]")}${one("[01]")}+`
  );
}

interface Alphabet {
  one: (characters: string) => string;
  sign: string;
  hasPoint: boolean;
}

/** Returns the parts of a number that ends before a literal: in `${number}.${number}`, the first has no point. */
function getAlphabet(stop: Stop): Alphabet {
  const plain = (characters: string): string => characters;
  const free: Alphabet = { one: plain, sign: "[+-]?", hasPoint: true };
  if (stop.kind !== "before" || !/^[\d+.a-fA-FxXoO-]/.test(stop.text)) return free;
  if (stop.text === ".") return { ...free, hasPoint: false };
  if (stop.text === "-") return { ...free, sign: "\\+?" };
  if (stop.text === "+") return { ...free, sign: "-?" };
  const one = (characters: string): string => `(?:${toSinglePattern(characters, stop)})`;
  return { one, sign: `${one("[+-]")}?`, hasPoint: true };
}

/** Escapes only the characters that need it in a pattern: other escapes are errors with the `u` flag. */
export function escapePattern(text: string): string {
  return text
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}

function escapeInClass(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  return character.replace(/[\\\]^-]/, "\\$&");
}

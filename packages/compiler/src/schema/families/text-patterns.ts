/** How far a hole of a template reaches. */
export type Stop =
  /** To the end of the template, or to its last literal. */
  | { kind: "end" }
  /** Up to the first occurrence of the literal behind it. */
  | { kind: "before"; text: string }
  /** Exactly one character, since another hole follows at once. */
  | { kind: "one" };

/** A character of a class, where the literal that ends the hole does not begin. */
export function single(characters: string, stop: Stop): string {
  return stop.kind === "before" ? `(?!${escapePattern(stop.text)})${characters}` : characters;
}

/** Any number of characters of a class; exactly one where only one fits. */
export function repeated(characters: string, stop: Stop): string {
  if (stop.kind === "one") return characters;
  if (stop.kind === "end") return `${characters}*`;
  // `[^@]*` says the same as `(?:(?!@)[\s\S])*`, and people can read it.
  if (characters === "[\\s\\S]" && [...stop.text].length === 1) return `[^${escapeInClass(stop.text)}]*`;
  return `(?:${single(characters, stop)})*`;
}

/**
 * What TypeScript lets stand for `${number}`: any text that reads as a finite number, so leading zeros and
 * other bases too. (It also allows blanks around the digits, which nobody means.)
 */
export function numberText(stop: Stop): string {
  if (stop.kind === "one") return "\\d";
  const { one, sign, hasPoint } = alphabet(stop);
  const digits = `${one("\\d")}+`;
  const exponent = `(?:${one("[eE]")}${sign}${digits})?`;
  const fraction = hasPoint ? `(?:${digits}(?:${one("\\.")}${one("\\d")}*)?|${one("\\.")}${digits})` : digits;
  return `(?:${sign}${fraction}${exponent}|${based(one)})`;
}

/** What TypeScript lets stand for `${bigint}`. */
export function bigintText(stop: Stop): string {
  if (stop.kind === "one") return "\\d";
  const { one } = alphabet(stop);
  const minus = stop.kind === "before" && stop.text === "-" ? "" : `${one("-")}?`;
  return `${minus}(?:${one("0")}|${one("[1-9]")}${one("\\d")}*|${based(one)})`;
}

function based(one: (characters: string) => string): string {
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

/** The characters of a number that ends where a literal begins: `${number}.${number}` has none with a point. */
function alphabet(stop: Stop): Alphabet {
  const plain = (characters: string): string => characters;
  const free: Alphabet = { one: plain, sign: "[+-]?", hasPoint: true };
  if (stop.kind !== "before" || !/^[\d+.a-fA-FxXoO-]/.test(stop.text)) return free;
  if (stop.text === ".") return { ...free, hasPoint: false };
  if (stop.text === "-") return { ...free, sign: "\\+?" };
  if (stop.text === "+") return { ...free, sign: "-?" };
  const one = (characters: string): string => `(?:${single(characters, stop)})`;
  return { one, sign: `${one("[+-]")}?`, hasPoint: true };
}

/** Escapes what has a meaning in a pattern, and nothing else: a needless escape is an error under the `u` flag. */
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

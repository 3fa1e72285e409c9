import { ts } from "ts-morph";
import { REFUSED, type Derivation, type Place, type Rule } from "./derivation.js";

const ANY_TEXT = "[\\s\\S]*";

/**
 * What TypeScript lets stand for `${number}`: any text that reads as a finite number, so leading zeros and
 * other bases too. (It also allows blanks around the digits, which nobody means.)
 */
const NUMBER_TEXT =
  "(?:[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)";

const BIGINT_TEXT = "(?:-?(?:0|[1-9]\\d*)|-?(?:0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+))";

/** The keys that a number index signature stands for: what `String(n)` gives. */
export const NUMERIC_KEY = "^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:e[+-]\\d+)?$";

/**
 * Characters that `Uppercase<string>` and its relatives exclude. The exact classes are for our validators;
 * `portable` lists plain ASCII ones, since not every client's patterns know Unicode properties.
 */
export const NOT_UPPERCASED = "\\P{Changes_When_Uppercased}";
export const NOT_LOWERCASED = "\\P{Changes_When_Lowercased}";

/** Template literal types, and the intrinsic string types where their text is not known. */
export const templateLiterals: Rule = (type, place, derivation) => {
  if (!(type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))) return undefined;
  const pattern = patternOf(type, derivation);
  if (pattern !== undefined) return { schema: { type: "string", pattern: `^${pattern}$` } };
  return refuse(type, place, derivation);
};

/** The pattern of a key type, anchored; undefined when keys of the type cannot be told by a pattern. */
export function keyPattern(type: ts.Type, derivation: Derivation): string | undefined {
  if (type.flags & ts.TypeFlags.Number) return NUMERIC_KEY;
  if (!(type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))) return undefined;
  const pattern = patternOf(type, derivation);
  return pattern === undefined ? undefined : `^${pattern}$`;
}

/** Not anchored, so that it can stand inside another pattern. */
function patternOf(type: ts.Type, derivation: Derivation): string | undefined {
  const { flags } = type;
  if (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) return ANY_TEXT;
  if (flags & ts.TypeFlags.Number) return NUMBER_TEXT;
  if (flags & ts.TypeFlags.BigInt) return BIGINT_TEXT;
  if (type.isStringLiteral() || type.isNumberLiteral()) return escapePattern(String(type.value));
  if (flags & ts.TypeFlags.TemplateLiteral) return ofTemplate(type as ts.TemplateLiteralType, derivation);
  if (flags & ts.TypeFlags.StringMapping) return ofMapping(type as ts.StringMappingType, derivation);
  if (type.isUnion()) return alternatives(type.types, derivation);
  // A branded hole: `${UserId}-${number}`.
  if (type.isIntersection()) {
    const primitive = type.types.find((part) => !(part.flags & ts.TypeFlags.Object));
    return primitive && patternOf(primitive, derivation);
  }
  const constraint = derivation.checker.getBaseConstraintOfType(type);
  return constraint && constraint !== type ? patternOf(constraint, derivation) : undefined;
}

function ofTemplate(type: ts.TemplateLiteralType, derivation: Derivation): string | undefined {
  let pattern = escapePattern(type.texts[0] ?? "");
  for (const [index, hole] of type.types.entries()) {
    const inner = patternOf(hole, derivation);
    if (inner === undefined) return undefined;
    pattern += inner + escapePattern(type.texts[index + 1] ?? "");
  }
  return pattern;
}

function ofMapping(type: ts.StringMappingType, derivation: Derivation): string | undefined {
  // `Uppercase<`${number}`>` differs from its number only in the letters of exponents and bases.
  if (!(type.type.flags & ts.TypeFlags.String)) return undefined;
  derivation.memory.hasExactForms = true;
  switch (type.symbol.name) {
    case "Uppercase":
      return `${NOT_UPPERCASED}*`;
    case "Lowercase":
      return `${NOT_LOWERCASED}*`;
    case "Capitalize":
      return `(?:${NOT_UPPERCASED}${ANY_TEXT})?`;
    case "Uncapitalize":
      return `(?:${NOT_LOWERCASED}${ANY_TEXT})?`;
    default:
      return patternOf(type.type, derivation);
  }
}

function alternatives(types: readonly ts.Type[], derivation: Derivation): string | undefined {
  const patterns = types.map((each) => patternOf(each, derivation));
  return patterns.includes(undefined) ? undefined : `(?:${patterns.join("|")})`;
}

/** Escapes what has a meaning in a pattern, and nothing else: a needless escape is an error under the `u` flag. */
export function escapePattern(text: string): string {
  return text
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}

function refuse(type: ts.Type, place: Place, derivation: Derivation): typeof REFUSED {
  derivation.report("type-not-serializable", place.node, {
    where: derivation.where(place),
    type: `\`${derivation.show(type)}\``,
    reason: "whose text no pattern describes",
    edit: "Use a template of `string`, `number` and literals, or `string` with `@pattern`.",
  });
  return REFUSED;
}

import { ts } from "../../typescript/typescript.js";
import { UNSUPPORTED } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation/derivation.js";
import {
  escapePattern,
  getBigintPattern,
  getNumberPattern,
  toRepeatedPattern,
  toSinglePattern,
  type Stop,
} from "./text-patterns.js";

/** The keys that a number index signature allows: the results of `String(n)`. */
const NUMERIC_KEY = "^(?!-0$)-?(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?(?:e[+-]\\d+)?$";

/**
 * The characters that `Uppercase<string>` and similar types exclude. Tenon's validators use exactly these classes. The
 * `portable` profile uses ASCII classes, since some clients do not support Unicode properties in patterns.
 */
export const NOT_UPPERCASED = "\\P{Changes_When_Uppercased}";
export const NOT_LOWERCASED = "\\P{Changes_When_Lowercased}";

const ANY = "[\\s\\S]";
const TEXTS = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;

/** Derives template literal types, and intrinsic string types such as `Uppercase<string>` if their text is unknown. */
export const templateLiterals: TypeRule = (type, site, derivation) => {
  if (!(type.flags & TEXTS)) return undefined;
  const pattern = getPattern(type, { kind: "end" }, derivation);
  return pattern === undefined
    ? reportUnsupportedText(type, site, derivation)
    : { schema: { type: "string", pattern: `^${pattern}$` } };
};

/** Returns whether keys of a type may be any text: it is `string` or a brand of it. */
export function isAnyKey(type: ts.Type): boolean {
  return ((getPrimitive(type)?.flags ?? 0) & ts.TypeFlags.String) !== 0;
}

/** Returns the anchored pattern of a key type, or undefined if no pattern describes its keys. */
export function getKeyPattern(type: ts.Type, derivation: Derivation): string | undefined {
  const key = getPrimitive(type);
  if (!key) return undefined;
  if (key.flags & ts.TypeFlags.Number) return NUMERIC_KEY;
  const pattern = key.flags & TEXTS ? getPattern(key, { kind: "end" }, derivation) : undefined;
  return pattern === undefined ? undefined : `^${pattern}$`;
}

/** Returns the primitive of a branded type, or undefined if it combines several. */
function getPrimitive(type: ts.Type): ts.Type | undefined {
  if (!type.isIntersection()) return type;
  const [only, ...others] = type.types.filter((member) => !(member.flags & ts.TypeFlags.Object));
  return others.length === 0 ? only : undefined;
}

/**
 * Returns the pattern of one hole of a template. TypeScript ends every hole at the first occurrence of the literal
 * after it, or after one character if another hole follows directly. The pattern does the same. It matches exactly the
 * assignable strings, and avoids backtracking, so that matching takes linear time.
 */
function getPattern(type: ts.Type, stop: Stop, derivation: Derivation): string | undefined {
  const { flags } = type;
  if (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) return toRepeatedPattern(ANY, stop);
  if (flags & ts.TypeFlags.Number) return getNumberPattern(stop);
  if (flags & ts.TypeFlags.BigInt) return getBigintPattern(stop);
  if (type.isStringLiteral() || type.isNumberLiteral()) return escapePattern(String(type.value));
  if (flags & ts.TypeFlags.TemplateLiteral)
    return getTemplatePattern(type as ts.TemplateLiteralType, stop, derivation);
  if (flags & ts.TypeFlags.StringMapping) return getMappingPattern(type as ts.StringMappingType, stop);
  if (type.isUnion()) return getUnionPattern(type.types, stop, derivation);
  // A branded hole: `${UserId}-${number}`.
  if (type.isIntersection()) {
    const primitive = type.types.find((member) => !(member.flags & ts.TypeFlags.Object));
    return primitive && getPattern(primitive, stop, derivation);
  }
  const constraint = derivation.checker.getBaseConstraintOfType(type);
  return constraint && constraint !== type ? getPattern(constraint, stop, derivation) : undefined;
}

function getTemplatePattern(
  type: ts.TemplateLiteralType,
  stop: Stop,
  derivation: Derivation,
): string | undefined {
  let pattern = escapePattern(type.texts[0] ?? "");
  for (const [index, hole] of type.types.entries()) {
    const after = type.texts[index + 1] ?? "";
    const isLast = index === type.types.length - 1;
    const end: Stop = isLast ? stop : after ? { kind: "before", text: after } : { kind: "one" };
    const inside = getPattern(hole, end, derivation);
    if (inside === undefined) return undefined;
    pattern += inside + escapePattern(after);
  }
  return pattern;
}

function getMappingPattern(type: ts.StringMappingType, stop: Stop): string | undefined {
  // No pattern here can express which numbers `Uppercase<`${number}`>` excludes (the `e` of `1e5`).
  if (!(type.type.flags & ts.TypeFlags.String)) return undefined;
  switch (type.symbol.name) {
    case "Uppercase":
      return toRepeatedPattern(NOT_UPPERCASED, stop);
    case "Lowercase":
      return toRepeatedPattern(NOT_LOWERCASED, stop);
    case "Capitalize":
      return withFirst(NOT_UPPERCASED, stop);
    case "Uncapitalize":
      return withFirst(NOT_LOWERCASED, stop);
    default:
      return undefined;
  }
}

function withFirst(first: string, stop: Stop): string {
  return stop.kind === "one" ? first : `(?:${toSinglePattern(first, stop)}${toRepeatedPattern(ANY, stop)})?`;
}

function getUnionPattern(types: readonly ts.Type[], stop: Stop, derivation: Derivation): string | undefined {
  const patterns = types.map((each) => getPattern(each, stop, derivation));
  return patterns.includes(undefined) ? undefined : `(?:${patterns.join("|")})`;
}

/** Reports text that no pattern can describe. */
export function reportUnsupportedText(
  type: ts.Type,
  site: TypeSite,
  derivation: Derivation,
): typeof UNSUPPORTED {
  derivation.report("type-not-serializable", site.node, {
    where: derivation.describeSite(site),
    type: `\`${derivation.formatType(type)}\``,
    reason: "whose text cannot be described by a pattern",
    edit: "Use a template of `string`, `number`, and literals, or `string` with `@pattern`.",
  });
  return UNSUPPORTED;
}

import { ts } from "../../project/typescript.js";
import { UNSUPPORTED } from "../../json-schema/fragment.js";
import { type Derivation, type TypeSite, type TypeRule } from "../derivation.js";
import { bigintText, escapePattern, numberText, repeated, single, type Stop } from "./text-patterns.js";

/** The keys that a number index signature allows: what `String(n)` gives. */
const NUMERIC_KEY = "^(?!-0$)-?(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?(?:e[+-]\\d+)?$";

/**
 * Characters that `Uppercase<string>` and its relatives exclude. The exact classes are for our validators;
 * `portable` lists plain ASCII ones, since not every client's patterns know Unicode properties.
 */
export const NOT_UPPERCASED = "\\P{Changes_When_Uppercased}";
export const NOT_LOWERCASED = "\\P{Changes_When_Lowercased}";

const ANY = "[\\s\\S]";
const TEXTS = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;

/** Template literal types, and the intrinsic string types where their text is not known. */
export const templateLiterals: TypeRule = (type, site, derivation) => {
  if (!(type.flags & TEXTS)) return undefined;
  const pattern = patternOf(type, { kind: "end" }, derivation);
  return pattern === undefined
    ? unsupportedText(type, site, derivation)
    : { schema: { type: "string", pattern: `^${pattern}$` } };
};

/** Whether keys of the type may be any text: `string`, and a brand of it. */
export function isAnyKey(type: ts.Type): boolean {
  return ((unbranded(type)?.flags ?? 0) & ts.TypeFlags.String) !== 0;
}

/** The pattern of a key type, anchored; undefined when no pattern describes the keys of the type. */
export function keyPattern(type: ts.Type, derivation: Derivation): string | undefined {
  const key = unbranded(type);
  if (!key) return undefined;
  if (key.flags & ts.TypeFlags.Number) return NUMERIC_KEY;
  const pattern = key.flags & TEXTS ? patternOf(key, { kind: "end" }, derivation) : undefined;
  return pattern === undefined ? undefined : `^${pattern}$`;
}

/** The primitive of a branded type; undefined where several have to hold together. */
function unbranded(type: ts.Type): ts.Type | undefined {
  if (!type.isIntersection()) return type;
  const [only, ...others] = type.types.filter((member) => !(member.flags & ts.TypeFlags.Object));
  return others.length === 0 ? only : undefined;
}

/**
 * The pattern of one hole of a template. TypeScript gives every hole the text up to the first
 * occurrence of the literal behind it (one character where another hole follows at once), and so do we: it is
 * what is assignable, and it leaves a matcher nothing to try again, so that long texts cost no more than linear
 * time.
 */
function patternOf(type: ts.Type, stop: Stop, derivation: Derivation): string | undefined {
  const { flags } = type;
  if (flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) return repeated(ANY, stop);
  if (flags & ts.TypeFlags.Number) return numberText(stop);
  if (flags & ts.TypeFlags.BigInt) return bigintText(stop);
  if (type.isStringLiteral() || type.isNumberLiteral()) return escapePattern(String(type.value));
  if (flags & ts.TypeFlags.TemplateLiteral)
    return ofTemplate(type as ts.TemplateLiteralType, stop, derivation);
  if (flags & ts.TypeFlags.StringMapping) return ofMapping(type as ts.StringMappingType, stop);
  if (type.isUnion()) return alternatives(type.types, stop, derivation);
  // A branded hole: `${UserId}-${number}`.
  if (type.isIntersection()) {
    const primitive = type.types.find((member) => !(member.flags & ts.TypeFlags.Object));
    return primitive && patternOf(primitive, stop, derivation);
  }
  const constraint = derivation.checker.getBaseConstraintOfType(type);
  return constraint && constraint !== type ? patternOf(constraint, stop, derivation) : undefined;
}

function ofTemplate(type: ts.TemplateLiteralType, stop: Stop, derivation: Derivation): string | undefined {
  let pattern = escapePattern(type.texts[0] ?? "");
  for (const [index, hole] of type.types.entries()) {
    const behind = type.texts[index + 1] ?? "";
    const isLast = index === type.types.length - 1;
    const end: Stop = isLast ? stop : behind ? { kind: "before", text: behind } : { kind: "one" };
    const inside = patternOf(hole, end, derivation);
    if (inside === undefined) return undefined;
    pattern += inside + escapePattern(behind);
  }
  return pattern;
}

function ofMapping(type: ts.StringMappingType, stop: Stop): string | undefined {
  // What `Uppercase<`${number}`>` excludes (the `e` of `1e5`) none of our patterns can express.
  if (!(type.type.flags & ts.TypeFlags.String)) return undefined;
  switch (type.symbol.name) {
    case "Uppercase":
      return repeated(NOT_UPPERCASED, stop);
    case "Lowercase":
      return repeated(NOT_LOWERCASED, stop);
    case "Capitalize":
      return withFirst(NOT_UPPERCASED, stop);
    case "Uncapitalize":
      return withFirst(NOT_LOWERCASED, stop);
    default:
      return undefined;
  }
}

function withFirst(first: string, stop: Stop): string {
  return stop.kind === "one" ? first : `(?:${single(first, stop)}${repeated(ANY, stop)})?`;
}

function alternatives(types: readonly ts.Type[], stop: Stop, derivation: Derivation): string | undefined {
  const patterns = types.map((each) => patternOf(each, stop, derivation));
  return patterns.includes(undefined) ? undefined : `(?:${patterns.join("|")})`;
}

/** Reports text that no pattern describes. */
export function unsupportedText(type: ts.Type, site: TypeSite, derivation: Derivation): typeof UNSUPPORTED {
  derivation.report("type-not-serializable", site.node, {
    where: derivation.where(site),
    type: `\`${derivation.show(type)}\``,
    reason: "whose text cannot be described by a pattern",
    edit: "Use a template of `string`, `number` and literals, or `string` with `@pattern`.",
  });
  return UNSUPPORTED;
}

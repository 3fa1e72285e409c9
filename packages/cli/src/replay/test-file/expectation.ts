import {
  isOpaqueMember,
  toComparable,
  replaceVolatile,
  type Period,
} from "../../compare/json/volatile-values.js";
import type { IsIgnored } from "../../compare/json/json-differences.js";
import { SourceText } from "./source-text.js";

/** Matches the placeholders for values that differ in every run. */
const PLACEHOLDER = /\((?:uuid|time|reference|secret)\)/;

/**
 * Replaces the parts of a value that differ in every run with matchers, such as `expect.any(String)`.
 *
 * @param path the path of the value in the result
 */
export function toExpectation(
  value: unknown,
  period: Period,
  isIgnored: IsIgnored,
  path: readonly string[],
): unknown {
  if ((path.length > 0 && isIgnored(path)) || isOpaqueMember(path.at(-1)))
    return new SourceText("expect.anything()");
  if (typeof value === "string") return toTextExpectation(value, period);
  if (typeof value === "number")
    return toComparable(value, period) === value ? value : new SourceText("expect.any(Number)");
  if (value instanceof Uint8Array) return new SourceText(`Uint8Array.from(${JSON.stringify([...value])})`);
  if (Array.isArray(value))
    return value.map((each, index) => toExpectation(each, period, isIgnored, [...path, `[${index}]`]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      toExpectation(each, period, isIgnored, [...path, name]),
    ]),
  );
}

function toTextExpectation(text: string, period: Period): unknown {
  const parts = splitAtVolatile(text, period);
  if (!parts) return text;
  if (parts.every((part) => part === "")) return new SourceText("expect.any(String)");
  return new SourceText(`expect.stringMatching(${toPattern(parts)})`);
}

/** Returns the source of a regular expression that accepts any text in place of the volatile parts, or undefined if there are none. */
export function toVolatilePattern(text: string, period: Period): string | undefined {
  const parts = splitAtVolatile(text, period);
  return parts && toPattern(parts);
}

/** Returns the constant parts between the values that differ in every run. */
function splitAtVolatile(text: string, period: Period): string[] | undefined {
  const without = replaceVolatile(text, period);
  return without === text && !PLACEHOLDER.test(text) ? undefined : without.split(PLACEHOLDER);
}

function toPattern(parts: readonly string[]): string {
  const escaped = parts.map((part) =>
    part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`),
  );
  return `/^${escaped.join(".*")}$/s`;
}

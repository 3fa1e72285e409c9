import { comparable, withoutChanging, type Period } from "../compare/changing.js";
import type { Ignored } from "../compare/differences.js";
import { SourceText } from "./source-text.js";

/** What stands for something else each time, in a text without it. */
const PLACEHOLDER = /\((?:uuid|time|reference|secret)\)/;

/**
 * A value as a test expects it: what differs each time is anything of its type.
 *
 * @param place of the value in the answer
 */
export function expected(
  value: unknown,
  period: Period,
  ignored: Ignored,
  place: readonly string[] = [],
): unknown {
  if (place.length > 0 && ignored(place)) return new SourceText("expect.anything()");
  if (typeof value === "string") return expectedText(value, period);
  if (typeof value === "number")
    return comparable(value, period) === value ? value : new SourceText("expect.any(Number)");
  if (value instanceof Uint8Array) return new SourceText(`Uint8Array.from(${JSON.stringify([...value])})`);
  if (Array.isArray(value))
    return value.map((each, index) => expected(each, period, ignored, [...place, `[${index}]`]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, expected(each, period, ignored, [...place, name])]),
  );
}

function expectedText(text: string, period: Period): unknown {
  const parts = changingParts(text, period);
  if (!parts) return text;
  if (parts.every((part) => part === "")) return new SourceText("expect.any(String)");
  return new SourceText(`expect.stringMatching(${patternOf(parts)})`);
}

/** A regular expression for the text in which what differs each time may be anything; undefined where nothing does. */
export function changingPattern(text: string, period: Period): string | undefined {
  const parts = changingParts(text, period);
  return parts && patternOf(parts);
}

/** What lies between the parts that differ each time. */
function changingParts(text: string, period: Period): string[] | undefined {
  const without = withoutChanging(text, period);
  return without === text && !PLACEHOLDER.test(text) ? undefined : without.split(PLACEHOLDER);
}

function patternOf(parts: readonly string[]): string {
  const escaped = parts.map((part) =>
    part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`),
  );
  return `/^${escaped.join(".*")}$/s`;
}

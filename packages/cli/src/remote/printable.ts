import { stripVTControlCharacters } from "node:util";

/**
 * A text of somebody else's as a terminal may show it: it moves no cursor, hides nothing, and rings no bell. Line breaks
 * and tabs stay.
 */
export function printable(text: string): string {
  return (
    stripVTControlCharacters(text)
      .replaceAll("\r\n", "\n")
      // oxlint-disable-next-line no-control-regex -- those are what is taken out
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
  );
}

/** The same for all texts in a value, names of members included. */
export function printableValue<T>(value: T): T {
  if (typeof value === "string") return printable(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => printableValue(each)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [printable(name), printableValue(member as unknown)]),
  ) as T;
}

import { stripVTControlCharacters } from "node:util";

/** Removes control characters from a server's text, so that it is safe to print. Keeps line breaks and tabs. */
export function toPrintable(text: string): string {
  return (
    stripVTControlCharacters(text)
      .replaceAll("\r\n", "\n")
      // oxlint-disable-next-line no-control-regex -- these are removed
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
  );
}

/** Removes control characters from all strings and member names in a value. */
export function toPrintableValue<T>(value: T): T {
  if (typeof value === "string") return toPrintable(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => toPrintableValue(each)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toPrintable(name), toPrintableValue(member as unknown)]),
  ) as T;
}

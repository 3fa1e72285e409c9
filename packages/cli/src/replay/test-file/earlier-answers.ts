import { memberText, SourceText } from "./source-text.js";

/** What calls have answered that a later call says again: such a value is taken from there, since it is another each time. */
export interface EarlierAnswers {
  /** @param line which of the test's lines makes the call that is answered with this */
  add(value: unknown, line: number): void;
  /** A value in which texts of earlier answers, if they look like ids, are expressions. */
  referred(value: unknown): unknown;
  /** The name of the answer to the call of a line, where a later one wants it. */
  nameOf(line: number): string | undefined;
}

/** @returns one without any */
export function createEarlierAnswers(): EarlierAnswers {
  const places = new Map<string, { line: number; path: string }>();
  const wanted = new Set<number>();

  const collect = (value: unknown, line: number, path: string): void => {
    if (typeof value === "string") {
      if (isId(value) && !places.has(value)) places.set(value, { line, path });
    } else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) collect(each, line, `${path}${memberText(name)}`);
    }
  };
  const referred = (value: unknown): unknown => {
    if (typeof value === "string") {
      const place = places.get(value);
      if (!place) return value;
      wanted.add(place.line);
      return new SourceText(`${nameOf(place.line)}${place.path}`);
    }
    if (Array.isArray(value)) return value.map(referred);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, referred(each)]));
  };
  return {
    add: (value, line) => collect(value, line, ""),
    referred,
    nameOf: (line) => (wanted.has(line) ? nameOf(line) : undefined),
  };
}

function nameOf(line: number): string {
  return `answer${line + 1}`;
}

/** A UUID, or a secret that was masked: other texts are the same each time. */
function isId(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) || /^\(secret \d+\)$/.test(text);
}

import { isOpaqueMember } from "../../compare/json/volatile-values.js";
import { toMemberAccess, SourceText } from "./source-text.js";

/** Values from earlier results that later calls send again, and that differ in every run. */
export interface EarlierResults {
  /**
   * Adds the value that a call returns.
   *
   * @param line the index of the test's line with the call
   */
  add(value: unknown, line: number): void;
  /** Returns a value in which IDs from earlier results are replaced with expressions. */
  replaceIds(value: unknown): unknown;
  /** Returns the name of the constant for the result of a line's call, if a later call uses it. */
  toConstantName(line: number): string | undefined;
}

/** Creates an empty collection of values. */
export function createEarlierResults(): EarlierResults {
  const locations = new Map<string, { line: number; path: string }>();
  const usedLines = new Set<number>();

  const collect = (value: unknown, line: number, path: string, name?: string): void => {
    if (typeof value === "string") {
      if ((isId(value) || isOpaqueMember(name)) && !locations.has(value))
        locations.set(value, { line, path });
    } else if (typeof value === "object" && value !== null) {
      for (const [member, each] of Object.entries(value))
        collect(each, line, `${path}${toMemberAccess(member)}`, member);
    }
  };
  const replaceIds = (value: unknown): unknown => {
    if (typeof value === "string") {
      const location = locations.get(value);
      if (!location) return value;
      usedLines.add(location.line);
      return new SourceText(`${toName(location.line)}${location.path}`);
    }
    if (Array.isArray(value)) return value.map(replaceIds);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceIds(each)]));
  };
  return {
    add: (value, line) => collect(value, line, ""),
    replaceIds,
    toConstantName: (line) => (usedLines.has(line) ? toName(line) : undefined),
  };
}

function toName(line: number): string {
  return `result${line + 1}`;
}

/** Returns whether a string is a UUID or a masked secret. */
function isId(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) || /^\(secret \d+\)$/.test(text);
}

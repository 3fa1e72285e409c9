import { isDeepStrictEqual } from "node:util";

/** One place in which two values differ. */
export interface Difference {
  /** Such as `content[0].text` or `tools.greet.description`. */
  path: string;
  /** Absent where there was nothing. */
  before?: unknown;
  /** Absent where there is nothing any more. */
  after?: unknown;
}

/** True for a place whose differences do not matter. */
export type Ignored = (path: readonly string[]) => boolean;

/**
 * Where two values of JSON differ, as deep inside as can be said. Members of a list that have names are compared by name.
 *
 * @example
 * differences({ a: [1, 2] }, { a: [1, 3] }) // [{ path: "a[1]", before: 2, after: 3 }]
 */
export function differences(before: unknown, after: unknown, ignored: Ignored = () => false): Difference[] {
  return compare(before, after, [], ignored);
}

function compare(before: unknown, after: unknown, path: readonly string[], ignored: Ignored): Difference[] {
  if (ignored(path) || isDeepStrictEqual(before, after)) return [];
  const [old, now] = [membersOf(before), membersOf(after)];
  if (!old || !now || Array.isArray(before) !== Array.isArray(after))
    return [
      {
        path: pathText(path),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      },
    ];
  const names = new Set([...old.keys(), ...now.keys()]);
  const found = [...names].flatMap((name) => compare(old.get(name), now.get(name), [...path, name], ignored));
  // The same members in another order.
  const isOrder =
    found.length === 0 && Array.isArray(before) && !isDeepStrictEqual([...old.keys()], [...now.keys()]);
  return isOrder ? [{ path: pathText(path), before: [...old.keys()], after: [...now.keys()] }] : found;
}

/** The members by name; of a list by the names of its items, where they have such, and else by number. */
function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value).filter(([, each]) => each !== undefined));
  const names = value.map(nameOf);
  const isNamed = names.every((name) => name !== undefined) && new Set(names).size === names.length;
  return new Map(value.map((each, index) => [isNamed ? String(names[index]) : `[${index}]`, each]));
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { uri, uriTemplate, name } = value as Record<string, unknown>;
  return [uri, uriTemplate, name].find((each) => typeof each === "string");
}

function pathText(path: readonly string[]): string {
  return path.reduce((text, part) => {
    if (part.startsWith("[") || text === "") return text + part;
    return /^[\w$-]+$/.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`;
  }, "");
}

/**
 * What `--ignore` names: a member wherever it is, such as `fetchedAt`, or a place, such as `structuredContent.items.*.price`,
 * where `*` is any member or item.
 */
export function ignoredPlaces(patterns: readonly string[]): Ignored {
  const split = patterns.map((pattern) => pattern.replaceAll(/\[(\d+|\*)\]/g, ".$1").split("."));
  return (path) =>
    split.some((parts) => {
      if (parts.length === 1) return path.at(-1) === parts[0];
      return (
        parts.length === path.length &&
        parts.every((part, index) => part === "*" || part === path[index] || `[${part}]` === path[index])
      );
    });
}

import { isDeepStrictEqual } from "node:util";

/** One path at which two values differ. */
export interface Difference {
  /** Such as `content[0].text` or `tools.greet.description`. */
  path: string;
  /** Absent if there was no value. */
  before?: unknown;
  /** Absent if the value was removed. */
  after?: unknown;
}

/** A function that returns whether to ignore the differences at a path. */
export type IsIgnored = (path: readonly string[]) => boolean;

/**
 * Returns the names of the members in which two objects differ: those of the first, then those that only the second has.
 *
 * @param mayDiffer returns whether a member counts as changed even if both values are equal
 * @example
 * findChangedMembers({ a: 1, b: 2 }, { b: 2, c: 3 }) // ["a", "c"]
 */
export function findChangedMembers(
  before: object,
  after: object,
  mayDiffer: (member: unknown) => boolean = () => false,
): string[] {
  const [old, now] = [new Map<string, unknown>(Object.entries(before)), new Map(Object.entries(after))];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].filter(
    (name) => !isDeepStrictEqual(old.get(name), now.get(name)) || mayDiffer(old.get(name)),
  );
}

/**
 * Returns the deepest paths at which two JSON values differ. List items with names are compared by name.
 *
 * @example
 * findDifferences({ a: [1, 2] }, { a: [1, 3] }) // [{ path: "a[1]", before: 2, after: 3 }]
 */
export function findDifferences(
  before: unknown,
  after: unknown,
  isIgnored: IsIgnored = () => false,
): Difference[] {
  return compare(before, after, [], isIgnored);
}

function compare(
  before: unknown,
  after: unknown,
  path: readonly string[],
  isIgnored: IsIgnored,
): Difference[] {
  if (isIgnored(path) || isDeepStrictEqual(before, after)) return [];
  const [old, now] = [getMembers(before), getMembers(after)];
  if (!old || !now || Array.isArray(before) !== Array.isArray(after))
    return [
      {
        path: formatPath(path),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      },
    ];
  const names = new Set([...old.keys(), ...now.keys()]);
  const found = [...names].flatMap((name) =>
    compare(old.get(name), now.get(name), [...path, name], isIgnored),
  );
  // The members are equal, but in a different order.
  const hasNewOrder =
    found.length === 0 && Array.isArray(before) && !isDeepStrictEqual([...old.keys()], [...now.keys()]);
  return hasNewOrder ? [{ path: formatPath(path), before: [...old.keys()], after: [...now.keys()] }] : found;
}

/** Returns the members of an object by name, or the items of a list: by their names if all have one, otherwise by index. */
function getMembers(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value).filter(([, each]) => each !== undefined));
  const names = value.map(getName);
  const isNamed = names.every((name) => name !== undefined) && new Set(names).size === names.length;
  return new Map(value.map((each, index) => [isNamed ? String(names[index]) : `[${index}]`, each]));
}

function getName(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { uri, uriTemplate, name } = value as Record<string, unknown>;
  return [uri, uriTemplate, name].find((each) => typeof each === "string");
}

function formatPath(path: readonly string[]): string {
  return path.reduce((text, part) => {
    if (part.startsWith("[") || text === "") return text + part;
    return /^[\w$-]+$/.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`;
  }, "");
}

/**
 * Parses the patterns of `--ignore`: the name of a member at any depth, such as `fetchedAt`, or a path, such as
 * `structuredContent.items.*.price`, where `*` is any member or item.
 */
export function parseIgnoredPaths(patterns: readonly string[]): IsIgnored {
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

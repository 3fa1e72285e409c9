/**
 * Returns one pattern for strings that must match two patterns, such as a `@pattern` on a template literal type. Clients
 * reject `allOf` with two patterns. Backreferences keep their targets.
 *
 * @example
 * intersectPatterns("^[0-9a-fx]{66}$", "^0x[\\s\\S]*$"); // "^(?=[0-9a-fx]{66}$)0x[\\s\\S]*$"
 * intersectPatterns("^0x[0-9a-f]{64}$", "^0x[\\s\\S]*$"); // "^0x[0-9a-f]{64}$", which includes the other
 * intersectPatterns("(a)\\1", "(b)\\1"); // "^(?=[\\s\\S]*?(a)\\1)[\\s\\S]*?(b)\\2"
 */
export function intersectPatterns(first: string, second: string): string {
  if (implies(first, second)) return first;
  if (implies(second, first)) return second;
  return `^(?=${toStartPattern(first)})${toStartPattern(renumberGroups(first, second))}`;
}

const LITERAL = String.raw`(?:[^\\^$.*+?()[\]{}|/]|\\[\\^$.*+?()[\]{}|/])+`;
const ANY = String.raw`\[\\s\\S\]\*`;
const PREFIX = new RegExp(`^\\^(${LITERAL})${ANY}\\$$`, "u");
const SUFFIX = new RegExp(`^\\^${ANY}(${LITERAL})\\$$`, "u");

/** Returns whether matching one pattern clearly implies matching the other: it is the same, or a fixed beginning or end. */
function implies(pattern: string, other: string): boolean {
  if (pattern === other) return true;
  if (hasAlternatives(pattern)) return false;
  const beginning = PREFIX.exec(other)?.[1];
  if (beginning !== undefined) {
    const rest = pattern.slice(beginning.length + 1);
    return pattern.startsWith(`^${beginning}`) && !/^[*+?{]/.test(rest);
  }
  const end = SUFFIX.exec(other)?.[1];
  if (end === undefined || !pattern.endsWith(`${end}$`)) return false;
  // `[^/]a$` ends with `]a$` as text, and `\\.` with `.`: the end must not begin inside another part.
  return isAtTopLevel(pattern, pattern.length - end.length - 1);
}

/** Returns the pattern without its `^`, for use at the start of the text. */
function toStartPattern(pattern: string): string {
  if (hasAlternatives(pattern)) return `[\\s\\S]*?(?:${pattern})`;
  return pattern.startsWith("^") ? pattern.slice(1) : `[\\s\\S]*?${pattern}`;
}

/** Returns whether `|` occurs outside all groups, as in `^a|b$`. */
function hasAlternatives(pattern: string): boolean {
  return [...listTopLevelParts(pattern)].some((index) => pattern[index] === "|");
}

function isAtTopLevel(pattern: string, index: number): boolean {
  return [...listTopLevelParts(pattern)].includes(index);
}

/** Yields the index of each part of a pattern outside groups. Escapes and classes are one part each. */
function* listTopLevelParts(pattern: string): Generator<number> {
  let depth = 0;
  for (const { 0: part, index } of pattern.matchAll(PART)) {
    if (depth === 0) yield index;
    if (part.startsWith("(")) depth++;
    else if (part === ")") depth--;
  }
}

/** A reference by number or by name, an escape, a class, a group with or without a name, or a character. */
const PART =
  /\\(?<number>[1-9]\d*)|\\k<(?<reference>[^>]+)>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<(?<name>[^=!>][^>]*)>|\(\??|./gsu;

/** Renumbers and renames the second pattern's groups and references so that it can follow the first pattern. */
function renumberGroups(first: string, second: string): string {
  const before = [...first.matchAll(PART)].filter(([part]) => part === "(" || part.startsWith("(?<"));
  const names = new Set(before.flatMap(getGroupNames));
  const all = new Set([...names, ...[...second.matchAll(PART)].flatMap(getGroupNames)]);
  let ending = "_";
  while ([...all].some((name) => all.has(name + ending))) ending += "_";
  const own = (name: string): string => (names.has(name) ? name + ending : name);
  return second.replaceAll(PART, (part, number?: string, reference?: string, name?: string) => {
    if (number !== undefined) return `\\${Number(number) + before.length}`;
    if (reference !== undefined) return `\\k<${own(reference)}>`;
    return name === undefined ? part : `(?<${own(name)}>`;
  });
}

function getGroupNames({ groups }: RegExpExecArray): string[] {
  return groups?.name === undefined ? [] : [groups.name];
}

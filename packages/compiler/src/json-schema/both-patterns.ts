/**
 * One pattern for texts that must match two, as where `@pattern` stands at a template literal type. One pattern, since
 * `allOf` of two is what clients refuse. What each refers back to stays its own.
 *
 * @example
 * bothPatterns("^[0-9a-fx]{66}$", "^0x[\\s\\S]*$"); // "^(?=[0-9a-fx]{66}$)0x[\\s\\S]*$"
 * bothPatterns("^0x[0-9a-f]{64}$", "^0x[\\s\\S]*$"); // "^0x[0-9a-f]{64}$", which says it all
 * bothPatterns("(a)\\1", "(b)\\1"); // "^(?=[\\s\\S]*?(a)\\1)[\\s\\S]*?(b)\\2"
 */
export function bothPatterns(first: string, second: string): string {
  if (implies(first, second)) return first;
  if (implies(second, first)) return second;
  return `^(?=${fromStart(first)})${fromStart(behind(first, second))}`;
}

const LITERAL = String.raw`(?:[^\\^$.*+?()[\]{}|/]|\\[\\^$.*+?()[\]{}|/])+`;
const ANY = String.raw`\[\\s\\S\]\*`;
const PREFIX = new RegExp(`^\\^(${LITERAL})${ANY}\\$$`, "u");
const SUFFIX = new RegExp(`^\\^${ANY}(${LITERAL})\\$$`, "u");

/** Whether all that match one pattern plainly match the other: it is the same, or names a beginning or an end that they have. */
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
  // `[^/]a$` ends with `]a$` as text, and `\\.` does with `.`: what is before must be whole.
  return atTopLevel(pattern, pattern.length - end.length - 1);
}

/** The pattern as one that begins where the text does, without its `^`. */
function fromStart(pattern: string): string {
  if (hasAlternatives(pattern)) return `[\\s\\S]*?(?:${pattern})`;
  return pattern.startsWith("^") ? pattern.slice(1) : `[\\s\\S]*?${pattern}`;
}

/** Whether `|` stands outside of all groups: `^a|b$`. */
function hasAlternatives(pattern: string): boolean {
  return [...topLevel(pattern)].some((index) => pattern[index] === "|");
}

function atTopLevel(pattern: string, index: number): boolean {
  return [...topLevel(pattern)].includes(index);
}

/** Where the parts of a pattern begin that are in no group and no class, escapes being one part. */
function* topLevel(pattern: string): Generator<number> {
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

/** The second pattern as it says the same behind the groups of the first, which are counted, and keep their names. */
function behind(first: string, second: string): string {
  const before = [...first.matchAll(PART)].filter(([part]) => part === "(" || part.startsWith("(?<"));
  const names = new Set(before.flatMap(namesOf));
  const all = new Set([...names, ...[...second.matchAll(PART)].flatMap(namesOf)]);
  let ending = "_";
  while ([...all].some((name) => all.has(name + ending))) ending += "_";
  const own = (name: string): string => (names.has(name) ? name + ending : name);
  return second.replaceAll(PART, (part, number?: string, reference?: string, name?: string) => {
    if (number !== undefined) return `\\${Number(number) + before.length}`;
    if (reference !== undefined) return `\\k<${own(reference)}>`;
    return name === undefined ? part : `(?<${own(name)}>`;
  });
}

function namesOf({ groups }: RegExpExecArray): string[] {
  return groups?.name === undefined ? [] : [groups.name];
}

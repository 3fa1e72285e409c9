/**
 * One pattern for texts that must match two, as where `@pattern` stands at a template literal type.
 *
 * @example
 * bothPatterns("^[0-9a-fx]{66}$", "^0x[\\s\\S]*$"); // "^(?=[0-9a-fx]{66}$)0x[\\s\\S]*$"
 * bothPatterns("^0x[0-9a-f]{64}$", "^0x[\\s\\S]*$"); // "^0x[0-9a-f]{64}$", which says it all
 */
export function bothPatterns(first: string, second: string): string {
  if (implies(first, second)) return first;
  if (implies(second, first)) return second;
  return `^(?=${fromStart(first)})${fromStart(second)}`;
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
  let isInClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (depth === 0 && !isInClass) yield index;
    if (character === "\\") index++;
    else if (isInClass) isInClass = character !== "]";
    else if (character === "[") isInClass = true;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
  }
}

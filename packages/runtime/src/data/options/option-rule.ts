/**
 * The values that an option accepts. The compiler checks literals with these rules, and a server checks all values when
 * it starts.
 * @module
 */

/** The values that an option accepts. */
export interface OptionRule {
  /** Completes the sentence "The option must be …". */
  readonly expected: string;
  /** Returns whether a value is valid, apart from its members or elements. */
  accepts(value: unknown): boolean;
  /** The rules of the members of an object; other members are errors. */
  readonly members?: OptionRules;
  /** The rule of the members of an object with any names. */
  readonly values?: OptionRule;
  /** The rule of the elements of a list. */
  readonly elements?: OptionRule;
  /** The members that an object must have. */
  readonly required?: readonly string[];
}

/** The rules of options by name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/** A value that an option does not accept, or an option that does not exist. */
export interface OptionProblem {
  /** The option, such as `["rateLimit", "calls"]`. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** Completes the sentence "The option must be …". Absent if there is no such option. */
  readonly expected?: string;
  /** The options that exist instead. */
  readonly known?: readonly string[];
}

/**
 * Finds the first problem with the value of an option. An option may be `undefined`, which is the same as missing.
 *
 * @param path the path of the option
 */
export function findOptionProblem(
  value: unknown,
  rule: OptionRule,
  path: OptionProblem["path"] = [],
): OptionProblem | undefined {
  if (!rule.accepts(value)) return { path, value, expected: rule.expected };
  const { elements, members, values, required = [] } = rule;
  if (Array.isArray(value)) {
    return (
      elements &&
      findFirst(value.entries(), ([index, each]) => findOptionProblem(each, elements, [...path, index]))
    );
  }
  if (typeof value !== "object" || value === null || !(members ?? values)) return undefined;
  const given = value as Record<string, unknown>;
  return findFirst(new Set([...required, ...Object.keys(given)]), (name) => {
    const member = members === undefined ? values : findRule(members, name);
    const at = [...path, name];
    if (!member) return { path: at, value: given[name], known: Object.keys(members ?? {}) };
    const each = given[name];
    return each === undefined && !required.includes(name) ? undefined : findOptionProblem(each, member, at);
  });
}

/** Returns the rule of an option; undefined if there is no such option. */
export function findRule(rules: OptionRules, name: string): OptionRule | undefined {
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

function findFirst<Each>(
  all: Iterable<Each>,
  find: (each: Each) => OptionProblem | undefined,
): OptionProblem | undefined {
  for (const each of all) {
    const found = find(each);
    if (found) return found;
  }
  return undefined;
}

/**
 * Formats the path of an option.
 *
 * @example
 * formatOptionPath(["icons", 0, "src"]) // "icons[0].src"
 */
export function formatOptionPath(path: OptionProblem["path"]): string {
  return path
    .map((each, index) => (typeof each === "number" ? `[${each}]` : `${index === 0 ? "" : "."}${each}`))
    .join("");
}

/** Returns whether a value contains only what its source shows: an instance of a class may contain secrets. */
function isPlain(value: string | object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof value === "string" || Array.isArray(value) || prototype === Object.prototype;
}

/** The maximum number of characters of a value in a message. */
const MAX_VALUE_CHARACTERS = 80;

/** Formats a value for the message about it. */
export function formatOptionValue(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return String(value);
  if (!isPlain(value)) return "an object";
  try {
    const text = JSON.stringify(value);
    return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
  } catch {
    return "an object";
  }
}

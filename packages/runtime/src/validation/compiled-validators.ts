/**
 * What validators generated at build time import.
 *
 * @example
 * import { equal, formats, ucs2length } from "@tenon/runtime/validation";
 * @module
 */
import type { ValidationError } from "../assembly/application.js";
import { type FormatChecks, formats as predicates } from "./formats.js";

export { lateValidators } from "./late-validators.js";

/**
 * The same check, which looks at each object and array only once for as long as the outermost call lasts.
 *
 * @param check Calls the remembered one for parts of what it is given.
 */
export function remembered(check: (value: unknown) => boolean): (value: unknown) => boolean {
  let known: Map<unknown, boolean> | undefined;
  return (value) => {
    if (typeof value !== "object" || value === null) return check(value);
    const found = known?.get(value);
    if (found !== undefined) return found;
    const isOutermost = known === undefined;
    const results = (known ??= new Map());
    try {
      const result = check(value);
      results.set(value, result);
      return result;
    } finally {
      if (isOutermost) known = undefined;
    }
  };
}

/** A check that says what is wrong, and for `unevaluatedProperties` and its like what it has looked at. */
interface ReportingCheck {
  (value: unknown, place?: object): boolean;
  errors?: ValidationError[] | null;
  evaluated?: Evaluated | undefined;
}

interface Evaluated {
  props?: true | Record<string, true> | undefined;
  items?: true | number | undefined;
}

interface Report {
  valid: boolean;
  errors: ValidationError[] | null;
  evaluated: Evaluated | undefined;
}

/** Of what is wrong inside one value, the innermost and the outermost errors are kept, so many of each. */
const MOST_KEPT = 32;

/**
 * The same check, which looks at each object and array only once for as long as the outermost call lasts. What
 * alternatives that refer to themselves report would double with each level, so only the first and last errors
 * of a value are kept.
 *
 * @param check Calls the remembered one for parts of what it is given.
 */
export function rememberedReports(check: ReportingCheck): ReportingCheck {
  let known: Map<unknown, Report> | undefined;
  const report = (value: unknown, place: object | undefined): Report => {
    const valid = check(value, place);
    return { valid, errors: shortened(check.errors ?? null), evaluated: copied(check.evaluated) };
  };
  const validate: ReportingCheck = (value, place) => {
    const isOutermost = known === undefined;
    const reports = (known ??= new Map<unknown, Report>());
    try {
      const found = reports.get(value) ?? report(value, place);
      if (typeof value === "object" && value !== null) reports.set(value, found);
      validate.errors = found.errors;
      validate.evaluated = copied(found.evaluated);
      return found.valid;
    } finally {
      if (isOutermost) known = undefined;
    }
  };
  return validate;
}

function shortened(errors: ValidationError[] | null): ValidationError[] | null {
  if (errors === null || errors.length <= 2 * MOST_KEPT) return errors;
  return [...errors.slice(0, MOST_KEPT), ...errors.slice(-MOST_KEPT)];
}

/** Callers add to what they are given. */
function copied(evaluated: Evaluated | undefined): Evaluated | undefined {
  const { props } = evaluated ?? {};
  return typeof props === "object" ? { ...evaluated, props: { ...props } } : evaluated && { ...evaluated };
}

/**
 * True when no two items are equal. Takes time in proportion to their size, where comparing each with each would
 * let a long list stop the server.
 */
export function uniqueItems(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = canonical(item);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** The same text for equal JSON values. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(",")}}`;
}

/** Format name → the format as ajv's generated code calls it. A bundle without formats leaves it out. */
export const formats: Record<string, { validate: (text: string) => boolean }> =
  /* @__PURE__ */ asAjvCalls(predicates);

function asAjvCalls(checks: FormatChecks): Record<string, { validate: (text: string) => boolean }> {
  return Object.fromEntries(Object.entries(checks).map(([name, validate]) => [name, { validate }]));
}

/**
 * The length of a text in characters, as JSON Schema counts them: a surrogate pair is one.
 *
 * @example
 * ucs2length("🙂") // 1
 */
export function ucs2length(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xdc00 || code > 0xdfff) continue;
    const before = text.charCodeAt(index - 1);
    if (before >= 0xd800 && before <= 0xdbff) {
      length--;
      index++;
    }
  }
  return length;
}

/**
 * Equality of JSON values: the order of members does not matter, the order of items does.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#name-instance-equality
 */
export function equal(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => equal(item, right[index]));
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(right, name) &&
      equal((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name]),
  );
}

/**
 * The functions that validators from the build use.
 *
 * @example
 * import { compiled } from "@tenon/runtime/validation";
 * const check0 = compiled((exports, check, equal, formats) => { … });
 * @module
 */
import { formats } from "./formats.js";
import { equal, isMultiple, ucs2length, uniqueItems } from "./json-values.js";
import type { Validator } from "./validators.js";

export { equal, formats, isMultiple, ucs2length, uniqueItems };

/** A function that ajv generated. It returns true for values that fit the schema. */
interface Check {
  (value: unknown): boolean;
  /** The evaluated parts, if a keyword such as `unevaluatedProperties` needs them. */
  evaluated?: Evaluated;
}

interface Evaluated {
  props?: true | Record<string, true> | undefined;
  items?: true | number | undefined;
}

/** The result of checking a value against a definition. */
interface CheckResult extends Evaluated {
  valid: boolean;
}

/** Checks a value against a definition, by its name among the exports. */
type CheckDefinition = (name: string, value: unknown) => CheckResult;

/** The code that ajv generated for a schema and its definitions. */
type Code = (
  exports: Exports,
  check: CheckDefinition,
  ...library: [typeof equal, typeof formats, typeof ucs2length, typeof uniqueItems, typeof isMultiple]
) => void;

interface Exports extends Record<string, Check | undefined> {
  root?: Check;
}

/**
 * Creates a validator from the code that ajv generated for a schema and its definitions. The code runs with the first
 * value, so that a large server starts without it.
 *
 * Each object and array is checked against a definition only once. Otherwise, in a type that refers to itself through
 * alternatives, such as `{ next?: T; a?: 1 } | { next?: T }`, each alternative would check the same member again at every
 * level. A value nested thirty levels deep would be checked a billion times.
 *
 * @param code exports a function for the schema, named `root`, and for each of its definitions
 */
export function compiled(code: Code): Validator {
  const exports: Exports = {};
  const results = new Map<string, Map<unknown, CheckResult>>();
  const run = (name: string, value: unknown): CheckResult => {
    const validate = exports[name];
    if (validate === undefined) throw new Error(`The validator has no definition "${name}".`);
    return { valid: validate(value), ...validate.evaluated };
  };
  const runOnce = (name: string, value: unknown): CheckResult => {
    if (typeof value !== "object" || value === null) return run(name, value);
    const known = results.get(name) ?? new Map<unknown, CheckResult>();
    results.set(name, known);
    const result = known.get(value) ?? run(name, value);
    known.set(value, result);
    return result;
  };
  const check: CheckDefinition = (name, value) => {
    const { props, ...result } = runOnce(name, value);
    // The caller adds to `props`.
    return { ...result, props: typeof props === "object" ? { ...props } : props };
  };
  return (value) => {
    if (exports.root === undefined) code(exports, check, equal, formats, ucs2length, uniqueItems, isMultiple);
    try {
      return run("root", value).valid;
    } finally {
      results.clear();
    }
  };
}

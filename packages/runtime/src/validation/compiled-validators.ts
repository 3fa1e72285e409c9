/**
 * What validators generated at build time run with.
 *
 * @example
 * import { compiled } from "@tenon/runtime/validation";
 * const check0 = compiled((exports, check, equal, formats) => { … });
 * @module
 */
import { formats } from "./formats.js";
import { equal, ucs2length, uniqueItems } from "./json-values.js";
import type { Validator } from "./validators.js";

export { equal, formats, ucs2length, uniqueItems };

/** A function that ajv has written: true for values of its schema. */
interface Check {
  (value: unknown): boolean;
  /** What the schema has looked at, where a keyword such as `unevaluatedProperties` asks. */
  evaluated?: Evaluated;
}

interface Evaluated {
  props?: true | Record<string, true> | undefined;
  items?: true | number | undefined;
}

/** A definition's answer about one value. */
interface Answer extends Evaluated {
  valid: boolean;
}

/** Holds a value against a definition, by its name among the exports. */
type CheckDefinition = (name: string, value: unknown) => Answer;

/** The code that ajv has written for a schema and its definitions. */
type Code = (
  exports: Exports,
  check: CheckDefinition,
  ...library: [typeof equal, typeof formats, typeof ucs2length, typeof uniqueItems]
) => void;

interface Exports extends Record<string, Check | undefined> {
  root?: Check;
}

/**
 * A validator from the code that ajv has written for a schema and its definitions. The code is run when there is a
 * first value to check, so that a large server starts without it.
 *
 * Each object and array is held against a definition only once. In a type that refers to itself through alternatives,
 * such as `{ next?: T; a?: 1 } | { next?: T }`, each alternative asks about the same member, and so does each of its
 * own: what is nested thirty deep would be looked at a billion times.
 *
 * @param code exports a function for the schema, called `root`, and for each of its definitions
 */
export function compiled(code: Code): Validator {
  const exports: Exports = {};
  const answers = new Map<string, Map<unknown, Answer>>();
  const ask = (name: string, value: unknown): Answer => {
    const validate = exports[name];
    if (validate === undefined) throw new Error(`The validator has no definition "${name}".`);
    return { valid: validate(value), ...validate.evaluated };
  };
  const askOnce = (name: string, value: unknown): Answer => {
    if (typeof value !== "object" || value === null) return ask(name, value);
    const known = answers.get(name) ?? new Map<unknown, Answer>();
    answers.set(name, known);
    const answer = known.get(value) ?? ask(name, value);
    known.set(value, answer);
    return answer;
  };
  const check: CheckDefinition = (name, value) => {
    const { props, ...answer } = askOnce(name, value);
    // Whoever asks adds to it.
    return { ...answer, props: typeof props === "object" ? { ...props } : props };
  };
  return (value) => {
    if (exports.root === undefined) code(exports, check, equal, formats, ucs2length, uniqueItems);
    try {
      return ask("root", value).valid;
    } finally {
      answers.clear();
    }
  };
}

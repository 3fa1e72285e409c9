import { type OptionRule, findOptionProblem, formatOptionPath, formatOptionValue } from "./option-rule.js";

/**
 * Checks options when a server starts.
 *
 * @param subject the declaration that they belong to, such as `tool "book"`; undefined for `defineServer`
 * @param path the path of the option, if `options` is the value of a single option
 * @throws TypeError that names the option, its value, and the valid ones
 * @example
 * checkOptions({ pageSize: 0 }, SERVER_RULE) // TypeError: pageSize must be a positive whole number (got 0)
 */
export function checkOptions(
  options: unknown,
  rule: OptionRule,
  subject?: string,
  path: readonly string[] = [],
): void {
  const problem = findOptionProblem(options, rule, path);
  if (!problem) return;
  const { expected, known = [], value } = problem;
  const at = `${formatOptionPath(problem.path) || "The argument"}${subject === undefined ? "" : ` of ${subject}`}`;
  throw new TypeError(
    expected === undefined
      ? `${at} is not an option. Remove it, or use one of: ${known.join(", ")}.`
      : `${at} must be ${expected} (got ${formatOptionValue(value)})`,
  );
}

/**
 * Joins problems to one sentence. The last one may end with a question.
 *
 * @example
 * toProblemSentence(["missing argument `city` (a string)", "unknown argument `town`; did you mean `city`?"])
 * // "missing argument `city` (a string); unknown argument `town`; did you mean `city`?"
 */
export function toProblemSentence(problems: readonly string[]): string {
  const text = problems.join("; ");
  return text.endsWith("?") ? text : `${text}.`;
}

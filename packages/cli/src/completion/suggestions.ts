/** A word that may stand there, and what it means. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/**
 * What may stand for an argument or an option of a command, beside what the command itself declares.
 *
 * @param name of the argument, or of the option with its dashes
 * @param operands the arguments before it
 * @returns nothing where it is not known
 */
export type ValueSource = (
  command: string,
  name: string,
  operands: readonly string[],
) => Promise<Suggestion[] | undefined>;

/** As shells read them: a line each, a tab before the description. */
export function suggestionLines(suggestions: readonly Suggestion[]): string {
  return suggestions
    .map(({ value, description }) => `${value}\t${description.split("\n", 1)[0] ?? ""}\n`)
    .join("");
}

/** A completion and its description. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/**
 * Returns completions for an argument or an option of a command, in addition to its declared choices.
 *
 * @param name the name of the argument, or of the option with its hyphens
 * @param operands the preceding arguments
 * @returns the completions, or undefined if they are unknown
 */
export type ValueSource = (
  command: string,
  name: string,
  operands: readonly string[],
) => Promise<Suggestion[] | undefined>;

/** Formats completions for shells: one per line, with a tab before the description. */
export function formatSuggestions(suggestions: readonly Suggestion[]): string {
  return suggestions
    .map(({ value, description }) => `${value}\t${description.split("\n", 1)[0] ?? ""}\n`)
    .join("");
}

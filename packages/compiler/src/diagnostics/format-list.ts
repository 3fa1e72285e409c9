const ENGLISH = new Intl.ListFormat("en");

/**
 * Joins items as in a sentence.
 *
 * @example
 * formatList(["Anthropic", "Glama", "OpenAI"]) // "Anthropic, Glama, and OpenAI"
 */
export function formatList(items: readonly string[]): string {
  return ENGLISH.format(items);
}

/** Joins names as in a sentence, each as code. */
export function formatNames(names: readonly string[]): string {
  return formatList(names.map((each) => `\`${each}\``));
}

/** Created at first use, because loading the data of a language takes about 10 ms. */
let english: Intl.ListFormat | undefined;

/**
 * Joins items as in a sentence.
 *
 * @example
 * formatList(["Anthropic", "Glama", "OpenAI"]) // "Anthropic, Glama, and OpenAI"
 */
export function formatList(items: readonly string[]): string {
  return (english ??= new Intl.ListFormat("en")).format(items);
}

/** Joins names as in a sentence, each as code. */
export function formatNames(names: readonly string[]): string {
  return formatList(names.map((each) => `\`${each}\``));
}

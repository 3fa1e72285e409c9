/**
 * Quotes an argument for the shell of this machine, if needed.
 *
 * @example
 * quoteWord("title=Two words") // "'title=Two words'"
 */
export function quoteWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (platform === "win32") return `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

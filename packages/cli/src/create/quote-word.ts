/**
 * A word as it is typed in this machine's shell, quoted where it needs it.
 *
 * @example
 * quoteWord("title=Two words") // "'title=Two words'"
 */
export function quoteWord(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (platform === "win32") return `"${word.replaceAll('"', '\\"')}"`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

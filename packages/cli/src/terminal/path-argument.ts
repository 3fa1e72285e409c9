import { isAbsolute, relative } from "node:path";
import { quoteWord } from "./quote-word.js";

/**
 * Formats a path as an argument of a command that the user types, relative to the current folder. It begins with a dot,
 * because npm reads `servers/mail` as the name of a repository.
 *
 * @param path absolute
 * @param cwd the current folder, absolute
 * @example
 * formatPathArgument("/home/ada/my mail", "/home/ada") // "'./my mail'"
 */
export function formatPathArgument(path: string, cwd: string): string {
  const shown = relative(cwd, path).replaceAll("\\", "/");
  if (shown === "") return ".";
  const isOutside = /^\.\.(?:\/|$)/.test(shown) || isAbsolute(shown);
  return quoteWord(isOutside ? shown : `./${shown}`);
}

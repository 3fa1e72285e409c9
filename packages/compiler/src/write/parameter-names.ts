import { SyntaxKind, ts } from "../typescript/typescript.js";

/**
 * Returns whether a method can have parameters with all of these names. Other names can only be members of an object.
 *
 * @example
 * areParameterNames(["city", "class"]) // false
 */
export function areParameterNames(names: Iterable<string>): boolean {
  return [...names].every(isParameterName);
}

function isParameterName(name: string): boolean {
  if (!/^[A-Za-z_$][\w$]*$/.test(name) || ["arguments", "await", "eval"].includes(name)) return false;
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, name);
  const token = scanner.scan();
  return token < SyntaxKind.FirstReservedWord || token > SyntaxKind.LastFutureReservedWord;
}

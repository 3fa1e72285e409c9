/**
 * Returns the source code of a property's name in an object literal. A literal `"__proto__": value` would set the prototype
 * instead of defining a member.
 *
 * @example
 * writePropertyName("say hello") // "\"say hello\""
 * writePropertyName("__proto__") // "[\"__proto__\"]"
 */
export function writePropertyName(name: string): string {
  const text = JSON.stringify(name);
  return name === "__proto__" ? `[${text}]` : text;
}

/**
 * Returns the object or list that a string contains as JSON, or undefined for any other text.
 *
 * @example
 * parseJsonText('{ "a": 1 }') // { a: 1 }
 * parseJsonText("1") // undefined
 */
export function parseJsonText(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

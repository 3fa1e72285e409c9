/** Returns the number of characters of a text, as in `maxLength` of JSON Schema: an emoji counts as one. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** Marks code in a message. */
export function formatCode(text: string): string {
  return `\`${text}\``;
}

/** Writes the first letter in lower case, for the middle of a sentence, unless it is part of an acronym. */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

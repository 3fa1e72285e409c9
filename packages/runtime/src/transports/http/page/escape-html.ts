/**
 * Escapes text for the content and the quoted attributes of HTML.
 *
 * @example
 * escapeHtml('"a" < b') // "&#34;a&#34; &#60; b"
 */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (each) => `&#${each.charCodeAt(0)};`);
}

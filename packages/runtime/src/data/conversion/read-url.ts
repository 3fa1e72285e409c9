import { formats } from "../validation/formats.js";
import { parseUrl } from "../../protocol/parse-url.js";

/**
 * Percent-encodes the characters that a URL must not contain, such as spaces and non-ASCII letters, as browsers do.
 * Models often omit this step. Returns all other text unchanged.
 *
 * @param format the `format` of the schema
 * @example
 * readUrl("uri", "https://de.wikipedia.org/wiki/Käse") // "https://de.wikipedia.org/wiki/K%C3%A4se"
 * readUrl("uri", "Käse") // "Käse"
 * @see https://url.spec.whatwg.org/#url-parsing
 */
export function readUrl(format: string | undefined, text: string): string {
  if (format !== "uri" || formats.uri(text) || !/^\s*[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  const href = parseUrl(text)?.href;
  return href !== undefined && formats.uri(href) ? href : text;
}

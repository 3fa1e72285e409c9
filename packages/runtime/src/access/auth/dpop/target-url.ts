import { parseUrl } from "../../../protocol/parse-url.js";

/** A percent-encoded character. */
const ENCODED = /%[0-9a-f]{2}/gi;

/** Characters that need no encoding in a URL (RFC 3986, section 2.3). */
const UNRESERVED = /^[\w.~-]$/;

/**
 * Normalizes a URL, without query and fragment, so that two spellings can be compared.
 *
 * @returns undefined if the text is not a URL
 * @see https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 * @example
 * toTargetUrl("HTTPS://mcp.example.com:443/a/../%6dcp?b#c") // "https://mcp.example.com/mcp"
 */
export function toTargetUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  url.search = "";
  url.hash = "";
  return url.href.replaceAll(ENCODED, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}

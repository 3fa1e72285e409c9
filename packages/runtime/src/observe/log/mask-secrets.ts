const MASK = "(secret)";

/** Matches values that are always secret: credentials of URLs, of `Authorization`, and JSON Web Tokens. */
const CREDENTIALS =
  /(?<=\w:\/\/)[^\s/?#@]+(?=@)|(?<=\b(?:Bearer|Basic|DPoP) )[\w.~+/=-]{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*/gi;

/**
 * Matches a value after a name that marks it as secret, as in `?api_key=…`, `"password": "…"` and `token: …`. The text
 * between them is bounded, so that matching takes linear time.
 */
const NAMED =
  /((?:password|passwd|passphrase|secret|token|api[_-]?key|credential|cookie|signature)s?\w{0,32}["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"'&,;]+/gi;

/**
 * Masks the secrets in a text, recognized by their format or by the name before them.
 *
 * @example
 * maskSecrets("connect to postgres://ada:hunter2@db") // "connect to postgres://(secret)@db"
 */
export function maskSecrets(text: string): string {
  return text.replace(CREDENTIALS, MASK).replace(NAMED, `$1${MASK}`);
}

/** Matches names of members whose values are secret. */
const SECRET_NAME =
  /password|passwd|passphrase|secret|(?:^|[_-])tokens?$|[a-z]Tokens?$|^tokens?$|api[_-]?key|credential|^(?:set-)?cookie$|authorization|private[_-]?key/i;

/**
 * Masks secrets in a JSON value: members with secret names, and secrets in strings.
 *
 * @example
 * maskValue({ user: "ada", apiKey: "k-123" }) // { user: "ada", apiKey: "(secret)" }
 */
export function maskValue(value: unknown): unknown {
  if (typeof value === "string") return maskSecrets(value);
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => [
    name,
    SECRET_NAME.test(name) ? MASK : maskValue(member),
  ]);
  return Object.fromEntries(members) as object;
}

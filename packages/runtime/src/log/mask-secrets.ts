const MASK = "(secret)";

/** What is secret wherever it stands: credentials of URLs, of `Authorization`, and JSON Web Tokens. */
const CREDENTIALS =
  /(?<=\w:\/\/)[^\s/?#@]+(?=@)|(?<=\b(?:Bearer|Basic|DPoP) )[\w.~+/=-]{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*/gi;

/**
 * A value behind a name that says that it is secret, as in `?api_key=…`, `"password": "…"` and `token: …`. What lies between
 * is bounded, so that no text takes longer than its length.
 */
const NAMED =
  /((?:password|passwd|passphrase|secret|token|api[_-]?key|credential|cookie|signature)s?\w{0,32}["']?\s{0,4}[=:]\s{0,4}["']?)[^\s"'&,;]+/gi;

/**
 * Text without the secrets that can be told by their form or by the name before them.
 *
 * @example
 * maskSecrets("connect to postgres://ada:hunter2@db") // "connect to postgres://(secret)@db"
 */
export function maskSecrets(text: string): string {
  return text.replace(CREDENTIALS, MASK).replace(NAMED, `$1${MASK}`);
}

/** Names of members whose values are secret. */
const SECRET_NAME =
  /password|passwd|passphrase|secret|(?:^|[_-])tokens?$|[a-z]Tokens?$|^tokens?$|api[_-]?key|credential|^(?:set-)?cookie$|authorization|private[_-]?key/i;

/**
 * A value of JSON without its secrets: members whose names say that they are, and what texts hold.
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

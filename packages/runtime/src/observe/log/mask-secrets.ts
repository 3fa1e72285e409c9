const MASK = "(secret)";

/**
 * Matches values that are always secret: credentials of URLs, of `Authorization`, cookies, JSON Web Tokens, private keys, and
 * the tokens of well-known services.
 */
const CREDENTIALS =
  /-----BEGIN[^-]*KEY-----[^]*?(?:-----END[^-]*-----|$)|\b(?:gh[oprsu]_|github_pat_|glpat-|npm_|sk[-_]|xox\w-|AKIA|AIza)[\w-]{16,}|(?<=\w:\/\/)[^\s/?#"']+(?=@)|(?<=\b(?:Bearer|Basic|DPoP)[ \t]{1,4})[\w.~+/=-]{8,}|(?<=\bcookie:[ \t]{0,4})[^\s"'][^\r\n]*|\beyJ[\w-]+\.[\w-]+\.[\w-]*/gi;

/**
 * Matches a value after a name that marks it as secret, as in `?api_key=…`, `"password": "…"` and `token: …`: a list or an
 * object, a text in quotation marks, which are escaped in JSON inside a text, or a word. The text before the value is
 * bounded and a value cannot fail to match, so matching takes linear time.
 */
const NAMED =
  /((?:password|passwd|pwd|passphrase|secret|token|(?:api|account)[_-]?key|credential|cookie|signature)s?\w{0,32}\\{0,8}["']?\s{0,4}[=:]\s{0,4})(?:(\\{0,8}["'])((?:(?!(?<!\\)\2)[^])+)|([[{][^\]}]*|[^\s"'&,;\\]+))/gi;

/**
 * Masks the secrets in a text, recognized by their format or by the name before them.
 *
 * @param toMask returns what replaces a secret
 * @example
 * maskSecrets("connect to postgres://ada:hunter2@db") // "connect to postgres://(secret)@db"
 */
export function maskSecrets(text: string, toMask: (secret: string) => string = () => MASK): string {
  return text
    .replace(CREDENTIALS, (secret) => toMask(secret))
    .replace(NAMED, (_, name: string, quote = "", quoted?: string, plain = "") => {
      return `${name}${quote}${toMask(quoted ?? plain)}`;
    });
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

/** Replaces a secret in text. */
export const MASK = "(secret)";

/** Private keys, the tokens of well-known services, and JSON Web Tokens. */
const TOKENS =
  /-----BEGIN[^-]*KEY-----[^]*?(?:-----END[^-]*-----|$)|\b(?:gh[oprsu]_|github_pat_|glpat-|npm_|hf_|sk[-_]|rk_live_|AKIA|AIza)[\w-]{16,}|\bxox\w-[\w-]{10,}|\bASIA[A-Z\d]{16}\b|\bya29\.[\w-]{10,}|\bSG\.[\w-]{16,64}\.[\w-]{16,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*/;

/**
 * The user and the password before the host of a URL. A password may contain `/`, `#`, and `?`, although they should be encoded
 * there: everything up to the last `@` is masked. The exception is a port after a host, as in `http://localhost:3000/@vite`.
 */
const URL_CREDENTIALS =
  /(?<=\w:\/\/)(?:[^\s/?#@:"'[]{0,256}:(?!(?<=(?:localhost|\.[\w-]{1,63}):)\d{1,5}[/?#])[^\s"']{1,256}|[^\s/?#"']+)(?=@)/;

/** The credentials in headers: after a known scheme, otherwise the rest of the line. */
const HEADER_CREDENTIALS =
  /(?<=\b(?:Bearer|Basic|DPoP)[ \t]{1,4})[\w.~+/=-]{8,}|(?<=\bauthorization:[ \t]{0,4})(?!(?:Bearer|Basic|DPoP)[ \t])[^\s"'][^\r\n"']*|(?<=\bcookie:[ \t]{0,4})[^\s"'][^\r\n]*/;

/**
 * The paths of webhooks, which anyone who knows them can call, and URL parameters with short names that contain keys.
 */
const URL_SECRETS =
  /(?<=https:\/\/(?:hooks\.[\w.-]{1,64}|(?:[\w-]{1,64}\.)?discord(?:app)?\.com\/api\/webhooks|[\w-]{1,64}\.webhook\.office\.com)\/)[^\s"'?#\\]{8,}|(?<=[?&](?:auth|code|config|key|pass|pat|pw|sig)=)[^\s&#"'\\]{8,}/;

/** The password in `curl -u user:password`. A number is not masked: it is a group, as in `docker run -u 1000:1000`. */
const OPTION_CREDENTIALS = /(?<=\s(?:-u|--user)[ \t=]{1,4}["']?[^\s:"']{1,64}:)(?!\d+(?:\s|$))[^\s"'\\]+/;

/** Matches values that are always secret. */
const CREDENTIALS = new RegExp(
  [TOKENS, URL_CREDENTIALS, HEADER_CREDENTIALS, URL_SECRETS, OPTION_CREDENTIALS]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

/**
 * Matches a value after a name that marks it as secret, as in `?api_key=…`, `"password": "…"`, and `token: …`: a list or an
 * object, a string in quotation marks, which are escaped in JSON inside a string, or a word. The text before the value is
 * bounded and a value cannot fail to match, so matching takes linear time. In a line of the audit, the outcome follows the name
 * of a tool, as in `tools/call create_token: ok in 2 ms`.
 */
const NAMED =
  /((?:password|passwd|pwd|passphrase|secret|token|(?:api|account)[_-]?key|credential|cookie|signature|authorization(?!\\{0,8}["']?\s{0,4}[=:]\s{0,4}\\{0,8}["']?(?:Bearer|Basic|DPoP|\(secret\))(?:\s|$)))s?\w{0,32}\\{0,8}["']?\s{0,4}[=:]\s{0,4})(?!(?:ok|failed|rejected|cancelled|timeout|internal-error|input-required|task) in [\d.]+ ms\b)(?:(\\{0,8}["'])((?:(?!(?<!\\)\2)[^])+)|([[{][^\]}]*|[^\s"'&,;\\]+))/gi;

/**
 * Masks the secrets in a string, recognized by their format or by the name before them.
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
 * @param mask masks the secrets in a string, and also in numbers and names. Default: `maskSecrets`, for strings
 * @example
 * maskValue({ user: "ada", apiKey: "k-123" }) // { user: "ada", apiKey: "(secret)" }
 */
export function maskValue(value: unknown, mask?: (text: string) => string): unknown {
  if (typeof value === "string") return mask ? mask(value) : maskSecrets(value);
  if (typeof value === "number" && mask) return mask(String(value)) === String(value) ? value : MASK;
  if (Array.isArray(value)) return value.map((each) => maskValue(each, mask));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => [
    mask ? mask(name) : name,
    SECRET_NAME.test(name) ? MASK : maskValue(member, mask),
  ]);
  return Object.fromEntries(members) as object;
}

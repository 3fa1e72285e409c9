/** The last words of names whose values nobody else may know. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  (
    "password passwords passwd pwd passphrase passcode secret secrets credential credentials token tokens apikey apikeys otp " +
    "pin cvv cvc ssn authorization cookie jwt api-key api-keys access-key secret-key private-key signing-key encryption-key " +
    "card-number security-code"
  ).split(" "),
);

/** They end in such a word, and the protocol needs them. */
const PROTOCOL_NAMES: ReadonlySet<string> = new Set(["progressToken"]);

/** Secrets that are known by their form, wherever they stand. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\beyJ[\w-]{4,}\.[\w-]+\.[\w-]*/g,
  /(?<=\b(?:Bearer|Basic|DPoP) )[\w.~+/=-]{8,}/gi,
  /(?<=\w:\/\/)[^\s/?#@]+(?=@)/g,
  /\b(?:sk|rk|pk)[-_][\w-]{16,}/g,
  /\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_\w{30,}|hf_\w{20,})/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:AIza[\w-]{30,}|ya29\.[\w-]{10,})/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
];

/** A value behind a name that says that it is secret, as in `?api_key=…` and `token: …`. */
const NAMED =
  /((?:password|passwd|passphrase|secret|token|api[_-]?key|signature)s?\w{0,32}["']?\s{0,4}[=:]\s{0,4}["']?)([^\s"'&,;(]{3,})/gi;

/** Of the environment, shorter values are words that stand anywhere. */
const SHORTEST_OF_ENVIRONMENT = 8;

/**
 * True for a name that says that its value is secret.
 *
 * @example
 * isSecretName("githubApiKey") // true
 * isSecretName("tokenizer") // false
 */
export function isSecretName(name: string): boolean {
  if (PROTOCOL_NAMES.has(name)) return false;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3-$2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return SECRET_WORDS.has(words.slice(-1).join("-")) || SECRET_WORDS.has(words.slice(-2).join("-"));
}

/** The values of environment variables whose names say that they are secret, longest first. */
export function environmentSecrets(env: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(env).flatMap(([name, value = ""]) =>
    isSecretName(name) && value.length >= SHORTEST_OF_ENVIRONMENT ? value : [],
  );
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

/** The text with `replace` put in place of each secret that is told by its form, or is one of `known`. */
export function replaceSecrets(
  text: string,
  known: readonly string[],
  replace: (secret: string) => string,
): string {
  let result = text;
  for (const secret of known)
    if (result.includes(secret)) result = result.replaceAll(secret, () => replace(secret));
  for (const shape of SHAPES)
    result = result.replace(shape, (found) => (isMask(found) ? found : replace(found)));
  return result.replace(NAMED, (_, name: string, secret: string) => name + replace(secret));
}

/** What stands in place of a secret. The same secret of a session has the same number. */
export function maskOf(number: number): string {
  return `(secret ${number})`;
}

function isMask(text: string): boolean {
  return /^\(secret \d+\)$/.test(text);
}

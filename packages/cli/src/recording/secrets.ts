import { maskSecrets } from "@tenon/runtime/log";
import { escapeRegExp } from "../terminal/text-format.js";

/** Words at the end of a name that mark its value as secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  (
    "password passwords passwd pwd passphrase passcode secret secrets credential credentials token tokens apikey apikeys otp " +
    "pin cvv cvc ssn authorization cookie jwt api-key api-keys access-key secret-key private-key signing-key encryption-key " +
    "card-number security-code"
  ).split(" "),
);

/** Names that end in such a word, but are part of the protocol and not secret. */
const PROTOCOL_NAMES: ReadonlySet<string> = new Set(["progressToken"]);

/** Secrets of well-known services, and private keys. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:sk|rk|pk)[-_][\w-]{16,}/g,
  /\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_\w{30,}|hf_\w{20,})/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:AIza[\w-]{30,}|ya29\.[\w-]{10,})/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
];

/** Minimum length of a secret from the environment. Shorter values may be ordinary words. */
const MIN_ENVIRONMENT_CHARACTERS = 8;

/** Minimum length of a secret that is replaced inside words. */
const MIN_PART_CHARACTERS = 6;

/** Minimum length of a secret that is replaced between other words. A shorter one must be the whole text. */
const MIN_WORD_CHARACTERS = 3;

/**
 * Returns whether a name indicates that its value is secret.
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

/** Returns the values of environment variables with secret names, longest first. */
export function findEnvironmentSecrets(env: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(env).flatMap(([name, value = ""]) =>
    isSecretName(name) && value.length >= MIN_ENVIRONMENT_CHARACTERS ? value : [],
  );
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

/** Replaces secrets with masks. Equal secrets have the same mask. */
export interface Replacement {
  /** Returns the mask of a secret, which is known from then on. */
  replace(secret: string): string;
  /** Returns whether a text is a known secret. */
  has(text: string): boolean;
  /** Replaces known secrets in a text, and those that are recognizable by their shape or the name before them. */
  replaceIn(text: string): string;
}

/**
 * Creates a replacement.
 *
 * @param secrets the secrets that are known before the first mask, longest first
 * @param masks the masks of some secrets
 */
export function createReplacement(
  secrets: readonly string[],
  masks: ReadonlyMap<string, string> = new Map(),
): Replacement {
  const given = new Map(masks);
  const known = [...masks.keys(), ...secrets];
  const replace = (secret: string): string => {
    const mask = given.get(secret) ?? toMask(given.size + 1);
    if (!given.has(secret)) known.push(secret);
    given.set(secret, mask);
    return mask;
  };
  const replaceKnown = (text: string, secret: string): string => {
    if (!text.includes(secret)) return text;
    if (secret.length >= MIN_PART_CHARACTERS) return text.replaceAll(secret, () => replace(secret));
    if (secret.length < MIN_WORD_CHARACTERS) return text === secret ? replace(secret) : text;
    const word = new RegExp(String.raw`(?<![\p{L}\p{N}])${escapeRegExp(secret)}(?![\p{L}\p{N}])`, "gu");
    return text.replace(word, () => replace(secret));
  };
  return {
    replace,
    has: (text) => given.has(text) && text.length >= MIN_WORD_CHARACTERS,
    replaceIn: (text) => {
      let result = known.reduce(replaceKnown, text);
      for (const shape of SHAPES) result = result.replace(shape, replace);
      // A short value may be a count, as in `tokens: 12`.
      return maskSecrets(result, (secret) =>
        secret.length < MIN_WORD_CHARACTERS || secret.startsWith("(secret") ? secret : replace(secret),
      );
    },
  };
}

/** Returns the mask of a secret. A secret has the same number wherever it occurs. */
export function toMask(number: number): string {
  return `(secret ${number})`;
}

import { maskSecrets } from "@tenon/runtime/log";
import { createCutReplacement } from "@tenon/runtime/secrets";
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

/** Matches keys with the prefixes of payment services. They are not masked in logs, where `pk_` begins the names of constraints. */
const PREFIXED_KEY = /\b(?:rk|pk)[-_][\w-]{16,}/g;

/** Variables such as `USE_TOKEN=true` and `MAX_TOKENS=4096`, which are settings and not secrets. */
const SETTING = /=(?:true|false|yes|no|on|off|null|none|undefined|\s*)$|tokens?=\d+$/i;

/** Minimum length of a secret that is replaced inside words. A shorter one is replaced only as a whole word. */
const MIN_PART_CHARACTERS = 6;

/** Minimum length of a secret, found by the name before it, that is also replaced elsewhere. A shorter one may be any word. */
const MIN_KNOWN_CHARACTERS = 3;

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
  // Other names that end in it are not secret, such as `boardingPass`.
  if (words.join("-") === "pass") return true;
  return SECRET_WORDS.has(words.slice(-1).join("-")) || SECRET_WORDS.has(words.slice(-2).join("-"));
}

/** Short names of secrets at the end of variables, options, and parameters of URLs, such as `STRIPE_KEY`. */
const SHORT_NAME = /(?:^|[_-])(?:auth|key|pass|pat|pin|pw|sig|signature)$/i;

/** Minimum length of the value of a variable with a short name, since a shorter one may be any word. */
const MIN_SHORT_NAME_CHARACTERS = 12;

/** Returns whether a variable, an option, or a parameter of a URL is probably secret. */
export function isLikelySecretName(name: string): boolean {
  return isSecretName(name) || SHORT_NAME.test(name);
}

/** Returns the values of environment variables with secret names. */
export function findEnvironmentSecrets(env: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(env).flatMap(([name, value = ""]) => {
    const isSecret =
      isSecretName(name) || (isLikelySecretName(name) && value.length >= MIN_SHORT_NAME_CHARACTERS);
    return isSecret && !SETTING.test(`${name}=${value}`) ? value : [];
  });
  return [...new Set(values)];
}

/**
 * Returns the parts of a header that are secrets themselves, since a response may repeat them: the credentials after the
 * scheme, the password in Basic credentials, and the values of cookies.
 */
export function listCredentials(name: string, value: string): string[] {
  if (/^cookie$/i.test(name))
    return value.split(/;\s*/).flatMap((each) => /^[^=]+=(.+)$/.exec(each)?.[1] ?? []);
  const [, scheme = "", credentials] = /^(\S+)\s+(\S+)$/.exec(value) ?? [];
  if (!/^authorization$/i.test(name) || credentials === undefined) return [];
  const decoded = /^basic$/i.test(scheme) ? Buffer.from(credentials, "base64").toString("utf8") : "";
  const password = /^[^:]*:(.+)$/s.exec(decoded)?.[1];
  return [credentials, ...(password === undefined ? [] : [password])];
}

/** Replaces secrets with masks. Equal secrets have the same mask. */
export interface Replacement {
  /** Returns the mask of a secret, and masks the secret wherever it appears later. */
  replace(secret: string): string;
  /** Returns the mask of a string that is not known elsewhere, since it may be an ordinary word. */
  replaceOnce(text: string): string;
  /** Returns whether a string is a known secret. */
  has(text: string): boolean;
  /** Replaces known secrets in a string. */
  replaceKnown(text: string): string;
  /** Replaces known secrets in a string, and those that are recognizable by their shape or the name before them. */
  replaceIn(text: string): string;
}

/**
 * Creates a replacement.
 *
 * @param secrets the secrets that are known before the first mask
 * @param masks the masks of some secrets
 */
export function createReplacement(
  secrets: readonly string[],
  masks: ReadonlyMap<string, string> = new Map(),
): Replacement {
  const given = new Map(masks);
  let count = given.size;
  const known = new Set([...masks.keys(), ...secrets]);
  // Without the lines of secrets, whose short parts may be ordinary words.
  const cuttable = new Set(known);
  let prepared: KnownSecrets | undefined;
  const replaceOnce = (text: string): string => {
    const mask = given.get(text) ?? toMask(++count);
    given.set(text, mask);
    return mask;
  };
  const replace = (secret: string): string => {
    const mask = replaceOnce(secret);
    if (known.has(secret)) return mask;
    prepared = undefined;
    known.add(secret);
    cuttable.add(secret).add(decodeContent(secret));
    for (const spelling of listSpellings(secret)) {
      if (!given.has(spelling)) given.set(spelling, mask);
      known.add(spelling);
    }
    return mask;
  };
  const replaceKnown = (text: string): string => {
    const { long, pattern, replaceCutParts } = (prepared ??= prepareKnown(known, cuttable));
    const rest = long.reduce((each, secret) => each.replaceAll(secret, () => replaceOnce(secret)), text);
    const replaced = rest.replace(pattern, (found) => (MASK.test(found) ? found : replaceOnce(found)));
    return replaceCutParts(replaced, replaceOnce);
  };
  return {
    replace,
    replaceOnce,
    has: (text) => known.has(text),
    replaceKnown,
    replaceIn: (text) => {
      // Secrets are found by their names before known secrets are replaced, which may include the word "password".
      const result = maskSecrets(text, (secret) => {
        // A short number may be a count, as in `tokens: 12`.
        if (secret.startsWith("(secret") || /^\d{1,2}$/.test(secret)) return secret;
        return secret.length < MIN_KNOWN_CHARACTERS ? replaceOnce(secret) : replace(secret);
      });
      return replaceKnown(result.replace(PREFIXED_KEY, replace));
    },
  };
}

/** Minimum length of a line of a secret that is masked by itself. */
const MIN_LINE_CHARACTERS = 8;

/** Maximum length of a file whose content is masked where a response repeats it, in characters. */
const MAX_CONTENT_CHARACTERS = 100_000;

/**
 * Returns other spellings of a secret in a response: in a URL or a form, without spaces around it, line by line, or, for the
 * base64 or the data URI of a file, as its content.
 */
function listSpellings(secret: string): string[] {
  const encoded = /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
  const content = decodeContent(secret);
  const lines = [secret, content].flatMap((text) =>
    text.split(/\r?\n/).filter((line) => line.length >= MIN_LINE_CHARACTERS),
  );
  const spellings = [encoded, encoded.replaceAll("%20", "+"), secret.trim(), content, ...lines];
  return spellings.filter((each) => each !== secret && each !== "");
}

/** Decodes a string in base64 or a data URI. Returns an empty string for everything else. */
function decodeContent(secret: string): string {
  const [, parameters = ";base64", data = secret] = /^data:([^,]*),(.*)$/s.exec(secret) ?? [];
  try {
    const isBase64 = parameters.endsWith(";base64");
    const plain = isBase64 ? data.replace(/=+$/, "") : data;
    if (isBase64 && Buffer.from(plain, "base64").toString("base64").replace(/=+$/, "") !== plain) return "";
    const text = isBase64
      ? new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(plain, "base64"))
      : decodeURIComponent(data);
    const isText = text.length >= MIN_PART_CHARACTERS && !/[^\P{Cc}\t\n\r]/u.test(text);
    return isText && text.length <= MAX_CONTENT_CHARACTERS ? text : "";
  } catch {
    return "";
  }
}

const MASK = /^\(secret \d+\)$/;

/** The length of a secret above which a pattern cannot contain it. */
const MAX_PATTERN_CHARACTERS = 20_000;

/** Known secrets, prepared for the search. */
interface KnownSecrets {
  /** The secrets that the pattern does not contain, the longest first. */
  readonly long: readonly string[];
  readonly pattern: RegExp;
  readonly replaceCutParts: ReturnType<typeof createCutReplacement>;
}

function prepareKnown(known: ReadonlySet<string>, cuttable: ReadonlySet<string>): KnownSecrets {
  return {
    long: [...known]
      .filter(({ length }) => length > MAX_PATTERN_CHARACTERS)
      .toSorted((a, b) => b.length - a.length),
    pattern: createPattern(known),
    replaceCutParts: createCutReplacement(cuttable),
  };
}

/** Creates the pattern of the other secrets. The longest one matches first, and a mask is not masked again. */
function createPattern(secrets: ReadonlySet<string>): RegExp {
  const alternatives = [...secrets]
    .filter((secret) => secret.trim() !== "" && secret.length <= MAX_PATTERN_CHARACTERS)
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => {
      const text = escapeRegExp(secret);
      if (secret.length >= MIN_PART_CHARACTERS) return text;
      return String.raw`(?<![\p{L}\p{N}])${text}(?![\p{L}\p{N}])`;
    });
  return new RegExp([String.raw`\(secret \d+\)`, ...alternatives].join("|"), "gu");
}

/** Returns the mask of a secret. A secret has the same number wherever it occurs. */
export function toMask(number: number): string {
  return `(secret ${number})`;
}

import { maskValue } from "./mask-secrets.js";

/** Limits on the number of errors in a chain of causes, on the text of each, and on the members that are shown. */
const MAX_ERRORS = 10;
const MAX_CHARACTERS = 4000;
const MAX_FACTS = 12;
const MAX_FACT_CHARACTERS = 200;

/**
 * Formats an error with its stack, its own members (`{ code: "ECONNRESET", status: 503 }`), and its causes: its
 * `cause`, and each of the `errors` of an `AggregateError`. The length is limited, and no error is repeated.
 *
 * @param mask masks the secrets of the call
 * @example
 * formatErrorText(error)
 * // TypeError: fetch failed
 * //     at …
 * // Caused by: Error: connect ECONNREFUSED 127.0.0.1:5432
 * //     at …
 */
export function formatErrorText(error: unknown, mask: Mask = unchanged): string {
  return collectTexts(
    error,
    (each) => formatOne(each, mask),
    (text, label) => label + text,
  ).join("\n");
}

/** Masks secrets. Applied before text is truncated, since a part of a secret is not recognized. */
export type Mask = (text: string) => string;

const unchanged: Mask = (text) => text;

/** Formats an error and its causes in one line, without stacks. */
export function formatErrorLine(error: unknown): string {
  return collectTexts(
    error,
    // A thrown object that is not an error has no name and message, so its members are shown.
    (each) => getHeader(each) || getFacts(each, "", unchanged).join(" "),
    (text) => text,
  ).join(", caused by ");
}

/**
 * Returns the text of an error and of each cause. Libraries wrap an error in another with the same message, so
 * repetitions are omitted.
 */
function collectTexts(
  error: unknown,
  format: (error: unknown) => string,
  addLabel: (text: string, label: string) => string,
): string[] {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const add = (each: unknown, label: string): void => {
    if (seen.has(each) || seen.size === MAX_ERRORS) return;
    seen.add(each);
    const text = format(each);
    if (!texts.some((other) => other.endsWith(text))) texts.push(addLabel(text, label));
    const causes = getCauses(each);
    for (const [index, cause] of causes.entries())
      add(cause, `Caused by${causes.length === 1 ? "" : ` (${index + 1} of ${causes.length})`}: `);
  };
  add(error, isError(error) ? "" : "Thrown: ");
  return texts;
}

/** Returns the name of an error, such as `"TypeError"`, or the type of any other value. */
export function getErrorName(error: unknown): string {
  return readSafely(() => (isError(error) ? error.name : typeof error));
}

/** Returns the message of an error, with a limited length. */
export function errorMessage(error: unknown, mask: Mask = unchanged): string {
  const message = readSafely(() => (isError(error) ? error.message : error));
  return truncate(mask(message), MAX_CHARACTERS);
}

function formatOne(error: unknown, mask: Mask): string {
  const header = getHeader(error);
  const lines = [getHeader(error, mask), ...getFrames(error, header, mask), ...getFacts(error, header, mask)];
  return lines.filter((line) => line !== "").join("\n");
}

function getHeader(error: unknown, mask: Mask = unchanged): string {
  if (!isError(error)) {
    const text = errorMessage(error, mask);
    // The members of the object follow.
    return text === "[object Object]" && getFacts(error, "", mask).length > 0 ? "" : text;
  }
  const message = errorMessage(error, mask);
  return message === "" ? getErrorName(error) : `${getErrorName(error)}: ${message}`;
}

function getFrames(error: unknown, header: string, mask: Mask): string[] {
  if (!isError(error)) return [];
  const stack = readSafely(() => error.stack ?? "");
  const frames = stack.startsWith(`${header}\n`) ? header.length + 1 : stack.search(/^[ \t]{1,8}at /m);
  return frames === -1 ? [] : [truncate(mask(stack.slice(frames)), MAX_CHARACTERS)];
}

/** Returns the causes of an error. Other values have none. */
function getCauses(error: unknown): unknown[] {
  try {
    const { cause, errors } = (isError(error) ? error : {}) as { cause?: unknown; errors?: unknown };
    const several: unknown[] = Array.isArray(errors) ? errors.slice(0, MAX_ERRORS) : [];
    return [cause, ...several].filter((each) => each !== undefined && each !== null);
  } catch {
    return [];
  }
}

/** Members of an error that add no information. */
const KNOWN = new Set(["name", "message", "stack", "errno"]);

/** Names of members in which HTTP clients store the text of a message. It may contain personal data, and is never logged. */
const MESSAGES = /(?:body|bodytext|headers?|responsetext)$/i;

/** Members in which HTTP clients store a request, a response, or both, and the useful members of those. */
const EXCHANGES = ["config", "request", "response", "options"];
const EXCHANGE_FACTS = ["method", "url", "status", "statusCode"];

/**
 * Formats members of an error that are strings or numbers, such as `{ code: "23505", table: "users" }`. Omits those
 * that the header contains.
 */
function getFacts(error: unknown, header: string, mask: Mask): string[] {
  if (typeof error !== "object" || error === null) return [];
  const isOmitted = (name: string): boolean => isError(error) && (KNOWN.has(name) || MESSAGES.test(name));
  const facts = new Map<string, string | number>();
  const addFact = (name: string, value: unknown): void => {
    const fact = value instanceof URL ? value.href : value;
    if (typeof fact !== "string" && typeof fact !== "number") return;
    if (facts.has(name) || facts.size === MAX_FACTS || header.includes(String(fact))) return;
    facts.set(name, typeof fact === "string" ? truncate(mask(fact), MAX_FACT_CHARACTERS) : fact);
  };
  try {
    const members = error as Record<string, unknown>;
    for (const name of Object.keys(members).slice(0, 100)) if (!isOmitted(name)) addFact(name, members[name]);
    for (const name of isError(error) ? EXCHANGES : []) {
      const exchange = Object(members[name]) as Record<string, unknown>;
      for (const fact of EXCHANGE_FACTS) addFact(fact, exchange[fact]);
    }
  } catch {
    // Members that cannot be read are omitted.
  }
  if (facts.size === 0) return [];
  const masked = Object.entries(maskValue(Object.fromEntries(facts)) as object);
  return [`{ ${masked.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")} }`];
}

/** Returns whether a value is an error, including one of another realm, such as a sandbox. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    // A revoked proxy throws on every access.
    return false;
  }
}

function truncate(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more characters)`;
}

/** Reads a member of a thrown value, which may throw in turn. */
function readSafely(read: () => unknown): string {
  try {
    return String(read());
  } catch {
    return "The thrown value cannot be read.";
  }
}

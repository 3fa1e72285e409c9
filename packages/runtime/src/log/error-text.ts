import { maskValue } from "./mask-secrets.js";

/** Of one error with all that caused it: so many are told, and of each so much. */
const MOST_ERRORS = 10;
const MOST_CHARACTERS = 4000;
const MOST_FACTS = 12;
const MOST_CHARACTERS_OF_FACT = 200;

/**
 * An error with its stack, with what libraries note on it (`{ code: "ECONNRESET", status: 503 }`), and with what caused it:
 * its `cause`, and each of the `errors` of an `AggregateError`. Bounded, and the same error is told once.
 *
 * @example
 * errorText(error)
 * // TypeError: fetch failed
 * //     at …
 * // Caused by: Error: connect ECONNREFUSED 127.0.0.1:5432
 * //     at …
 */
export function errorText(error: unknown): string {
  return told(error, ownText, (text, label) => label + text).join("\n");
}

/** Its name and message, and those of what caused it, in a line: for eyes that need no stack. */
export function errorLine(error: unknown): string {
  return told(error, headerOf, (text) => text).join(", caused by ");
}

/** What is told of an error and of all that caused it. Libraries wrap an error in another that says the same: it is told once. */
function told(
  error: unknown,
  textOf: (error: unknown) => string,
  labelled: (text: string, label: string) => string,
): string[] {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const add = (each: unknown, label: string): void => {
    if (seen.has(each) || seen.size === MOST_ERRORS) return;
    seen.add(each);
    const text = textOf(each);
    if (!texts.some((other) => other.endsWith(text))) texts.push(labelled(text, label));
    const causes = causesOf(each);
    for (const [index, cause] of causes.entries())
      add(cause, `Caused by${causes.length === 1 ? "" : ` (${index + 1} of ${causes.length})`}: `);
  };
  add(error, isError(error) ? "" : "Thrown: ");
  return texts;
}

/** Such as `"TypeError"`; of what is no error, its type. */
export function errorName(error: unknown): string {
  return readable(() => (isError(error) ? error.name : typeof error));
}

/** Bounded, as all that is logged of an error. */
export function errorMessage(error: unknown): string {
  return cut(
    readable(() => (isError(error) ? error.message : error)),
    MOST_CHARACTERS,
  );
}

function ownText(error: unknown): string {
  const header = headerOf(error);
  const lines = [header, ...framesOf(error, header), ...factsOf(error, header)];
  return lines.filter((line) => line !== "").join("\n");
}

function headerOf(error: unknown): string {
  if (!isError(error)) {
    const text = errorMessage(error);
    // Its members follow.
    return text === "[object Object]" && factsOf(error, "").length > 0 ? "" : text;
  }
  const message = errorMessage(error);
  return message === "" ? errorName(error) : `${errorName(error)}: ${message}`;
}

function framesOf(error: unknown, header: string): string[] {
  if (!isError(error)) return [];
  const stack = readable(() => error.stack ?? "");
  const frames = stack.startsWith(`${header}\n`) ? header.length + 1 : stack.search(/^[ \t]{1,8}at /m);
  return frames === -1 ? [] : [cut(stack.slice(frames), MOST_CHARACTERS)];
}

/** What caused an error, be it one or several. What is no error has no cause. */
function causesOf(error: unknown): unknown[] {
  try {
    const { cause, errors } = (isError(error) ? error : {}) as { cause?: unknown; errors?: unknown };
    const several: unknown[] = Array.isArray(errors) ? errors.slice(0, MOST_ERRORS) : [];
    return [cause, ...several].filter((each) => each !== undefined && each !== null);
  } catch {
    return [];
  }
}

/** Members of an error that say nothing new. */
const KNOWN = new Set(["name", "message", "stack", "errno"]);

/** What clients of HTTP keep of a request, a response or both, by the member that holds it. */
const EXCHANGES = ["config", "request", "response", "options"];
const EXCHANGE_FACTS = ["method", "url", "status", "statusCode"];

/** Members of an error that are plain, as `{ code: "23505", table: "users" }`; those that the header tells are left out. */
function factsOf(error: unknown, header: string): string[] {
  if (typeof error !== "object" || error === null) return [];
  const isKnown = (name: string): boolean => isError(error) && KNOWN.has(name);
  const facts = new Map<string, string | number>();
  const note = (name: string, value: unknown): void => {
    const fact = value instanceof URL ? value.href : value;
    if (typeof fact !== "string" && typeof fact !== "number") return;
    if (facts.has(name) || facts.size === MOST_FACTS || header.includes(String(fact))) return;
    facts.set(name, typeof fact === "string" ? cut(fact, MOST_CHARACTERS_OF_FACT) : fact);
  };
  try {
    const members = error as Record<string, unknown>;
    for (const name of Object.keys(members).slice(0, 100)) if (!isKnown(name)) note(name, members[name]);
    for (const name of isError(error) ? EXCHANGES : []) {
      const exchange = Object(members[name]) as Record<string, unknown>;
      for (const fact of EXCHANGE_FACTS) note(fact, exchange[fact]);
    }
  } catch {
    // What cannot be read is not told.
  }
  if (facts.size === 0) return [];
  const masked = Object.entries(maskValue(Object.fromEntries(facts)) as object);
  return [`{ ${masked.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")} }`];
}

/** Also of another realm, as a sandbox has. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    // A proxy that was revoked tells nothing, not even what it is.
    return false;
  }
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
}

/** Members of what is thrown may throw in turn. */
function readable(read: () => unknown): string {
  try {
    return String(read());
  } catch {
    return "What was thrown cannot be read.";
  }
}

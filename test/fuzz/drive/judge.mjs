import { dirname } from "node:path";
import { ENVIRONMENT_SECRET } from "./server-process.mjs";

/**
 * @import { Dialogue } from "../../wire/dialogue.mjs"
 * @import { Subject } from "./subjects.mjs"
 */

/** Text that no client may receive: the server's implementation, and the secrets of its handlers. */
const NEVER_SAID = new RegExp(
  [
    String.raw`\n\s+at .{1,80}[(:/]`,
    "node:internal",
    String.raw`\.(?:m|c)?[jt]s:\d`,
    dirname(dirname(dirname(import.meta.dirname))).replaceAll(/\W/g, String.raw`\$&`),
    "Cannot read prop|is not a function|is not iterable|Unexpected token|Maximum call stack|Invalid (?:array|string) length",
    "ENOENT|ECONN|EACCES|TypeError|RangeError|SyntaxError",
    "postgres://|hunter2",
    ENVIRONMENT_SECRET,
    "tok_",
  ].join("|"),
);

/**
 * Finds leaked internals in text that a server has sent.
 *
 * @param {string} text
 * @param {Subject} subject
 * @returns {string | undefined}
 */
export function leakIn(text, { entry }) {
  const folder = dirname(entry);
  const found = text.includes(folder) ? folder : NEVER_SAID.exec(text.replaceAll("\\n", "\n"))?.[0];
  return found === undefined ? undefined : `It says what it may not: ${found}`;
}

/**
 * Finds an error in a message of the server.
 *
 * @param {unknown} message
 * @param {string} text
 * @param {Dialogue} dialogue
 * @param {Subject} subject
 */
export function problemWith(message, text, dialogue, subject) {
  return leakIn(text, subject) ?? dialogue.problem(message);
}

/**
 * Returns the first failure in a server's log that its handlers did not cause on purpose.
 *
 * @param {string} stderr
 * @param {RegExp} expected Matches reports that the server causes on purpose.
 */
export function internalError(stderr, expected) {
  for (const [whole, subject] of stderr.matchAll(/^\[[0-9a-f]{8}\] The (.*) failed\.\n(?:.*\n){0,4}/gm)) {
    if (!expected.test(String(subject))) return `An internal error: ${whole}`;
  }
  if (/tok_/.test(stderr)) return "A token was written to stderr.";
  return undefined;
}

/** Returns whether a message needs a response with its ID. @param {unknown} value @returns {value is { id: string | number }} */
export function isOwed(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { id, method, result, error } = /** @type {Record<string, unknown>} */ (value);
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  return method !== undefined || (result === undefined && error === undefined);
}

/** Returns whether a request calls one of these tools. @param {RegExp} names @param {any} params */
export function calls(names, params) {
  return typeof params?.name === "string" && names.test(params.name);
}

/** Parses bytes as JSON; returns `undefined` if they are not valid JSON. @param {Buffer} bytes @returns {unknown} */
export function parse(bytes) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

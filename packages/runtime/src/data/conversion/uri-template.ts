/**
 * URI template matching without regular expressions. It takes time proportional to the product of the lengths of the
 * template and the URI.
 *
 * Supports all of RFC 6570 except associative arrays: a variable is a string or a list of strings. If several values
 * could produce the same URI, each expression gets the shortest text that lets the rest match.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 * @module
 */
import { type Expression, toAscii, type Part, parseParts, SYNTAX } from "./uri-template-syntax.js";
import { type Reading, readExpression } from "./uri-template-values.js";

/** Values by variable name. A variable that is a list has an array of values. */
export type UriVariables = Record<string, string | string[]>;

export interface UriTemplate {
  readonly text: string;
  /** Variable names, in the order of the template. */
  readonly variables: readonly string[];
  /** If several templates match, the one with the highest value is used. */
  readonly specificity: number;
  /** Returns the percent-decoded variables of `uri`, or `undefined` if it does not match. */
  match(uri: string): UriVariables | undefined;
}

/** Maximum length of a URI. Longer URIs match no template. */
const MAX_URI_CHARACTERS = 64 * 1024;

/**
 * Parses a URI template.
 *
 * @param lists the variables that are lists, whether or not they are marked with `*`
 * @throws SyntaxError if the template is malformed or has an operator that the RFC reserves
 * @example
 * parseUriTemplate("climate://{city}/{year}").match("climate://S%C3%A3o%20Paulo/2020")
 * // { city: "São Paulo", year: "2020" }
 */
export function parseUriTemplate(text: string, lists: ReadonlySet<string> = new Set()): UriTemplate {
  const parts = parseParts(text, lists);
  const expressions = parts.flatMap((part) => ("literal" in part ? [] : part.variables));
  return {
    text,
    variables: expressions.map((variable) => variable.name),
    // Literal characters count most. Of templates with equally many, those are preferred whose variables exclude slashes.
    specificity: parts.reduce(
      (sum, part) =>
        sum + ("literal" in part ? part.literal.length : part.terminators.size === 0 ? -1 / 1024 : 0),
      0,
    ),
    match: (uri) => {
      const ascii = toAscii(uri);
      return ascii === undefined || ascii.length > MAX_URI_CHARACTERS ? undefined : matchParts(parts, ascii);
    },
  };
}

/**
 * Matches a URI in two passes. The first pass goes from the end to the start and finds where the rest of the template
 * can match. The second pass reads the variables forward, each as short as the rest allows.
 */
function matchParts(parts: readonly Part[], uri: string): UriVariables | undefined {
  const size = uri.length + 1;
  const reach: Uint8Array[] = Array.from({ length: parts.length + 1 }, () => new Uint8Array(size));
  const last = reach[parts.length];
  if (last) last[uri.length] = 1;
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    const here = reach[index];
    const after = reach[index + 1];
    if (!part || !here || !after) continue;
    if ("literal" in part) reachLiteral(part.literal, uri, here, after);
    else reachExpression(part, uri, here, after);
  }
  if (reach[0]?.[0] !== 1) return undefined;
  return readVariables(parts, uri, reach);
}

function reachLiteral(literal: string, uri: string, here: Uint8Array, after: Uint8Array): void {
  for (let from = 0; from + literal.length <= uri.length; from++) {
    if (after[from + literal.length] === 1 && uri.startsWith(literal, from)) here[from] = 1;
  }
}

function reachExpression(part: Expression, uri: string, here: Uint8Array, after: Uint8Array): void {
  const { prefix } = SYNTAX[part.operator];
  const mayBeAbsent = prefix !== "" || part.operator === "+";
  // True if the rest can match at a later position, reached through characters that the expression allows.
  let isOpen = false;
  for (let from = uri.length; from >= 0; from--) {
    // All variables of an expression with a prefix may be undefined, and a `+` expression may be empty.
    const isAbsent = mayBeAbsent && after[from] === 1;
    if (isAbsent || (isOpen && uri.startsWith(prefix, from))) here[from] = 1;
    isOpen = from > 0 && !part.terminators.has(uri.charCodeAt(from - 1)) && (isOpen || after[from] === 1);
  }
}

function readVariables(
  parts: readonly Part[],
  uri: string,
  reach: readonly Uint8Array[],
): UriVariables | undefined {
  const found = new Map<string, Reading>();
  let position = 0;
  for (const [index, part] of parts.entries()) {
    if ("literal" in part) {
      position += part.literal.length;
      continue;
    }
    const end = findEnd(part, uri, position, reach[index + 1]);
    for (const reading of readExpression(part, uri.slice(position, end)) ?? [undefined]) {
      const agreed = reading && mergeReadings(found.get(reading[0].name), reading);
      if (agreed === undefined) return undefined;
      found.set(agreed[0].name, agreed);
    }
    position = end;
  }
  return Object.fromEntries(Array.from(found, ([name, [, value]]) => [name, value]));
}

/** Combines two readings of a variable that occurs twice. Returns the longer one, or `undefined` if they disagree. */
function mergeReadings(before: Reading | undefined, reading: Reading): Reading | undefined {
  if (before === undefined) return reading;
  const [head, whole] = before[0].maxLength < reading[0].maxLength ? [before, reading] : [reading, before];
  const start = Array.from(String(whole[1])).slice(0, head[0].maxLength).join("");
  return String(head[1]) === start ? whole : undefined;
}

function findEnd(part: Expression, uri: string, start: number, after: Uint8Array | undefined): number {
  const { prefix } = SYNTAX[part.operator];
  if (prefix !== "" && !uri.startsWith(prefix, start)) return start;
  let end = start + Math.max(1, prefix.length);
  while (end < uri.length && after?.[end] !== 1) end++;
  return after?.[end] === 1 ? end : start;
}

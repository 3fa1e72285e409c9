/**
 * URI templates, matched without regular expressions: the time taken grows with the product of the lengths of
 * template and URI, whatever they hold.
 *
 * All of RFC 6570 is there but pairs of names and values: a variable is a text or a list of them. Where a URI could have
 * come from several values, each expression has as little of it as the rest allows.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 * @module
 */
import { type Expression, inAscii, type Part, parseParts, SYNTAX } from "./uri-template-syntax.js";
import { type Reading, readExpression } from "./uri-template-values.js";

/** Values by variable name; several values for a variable that is a list. */
export type UriVariables = Record<string, string | string[]>;

export interface UriTemplate {
  readonly text: string;
  /** In the order of the template. */
  readonly variables: readonly string[];
  /** How much of the template is fixed; of two templates that match, the one with more is meant. */
  readonly literalLength: number;
  /** The variables of `uri`, percent-decoded, or `undefined` when it does not match. */
  match(uri: string): UriVariables | undefined;
}

/** Longer URIs match no template. */
const LONGEST_URI = 64 * 1024;

/**
 * @param lists the variables that are lists, whether they are marked `*` or not
 * @throws SyntaxError when the template is malformed or has an operator that the RFC reserves
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
    literalLength: parts.reduce((sum, part) => sum + ("literal" in part ? part.literal.length : 0), 0),
    match: (uri) => {
      const ascii = inAscii(uri);
      return ascii === undefined || ascii.length > LONGEST_URI ? undefined : matchParts(parts, ascii);
    },
  };
}

/**
 * Finds, from the end of the URI to its start, where the rest of the template can match; then reads the
 * variables forwards, each as short as the rest allows.
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
  const { first } = SYNTAX[part.operator];
  const mayBeAbsent = first !== "" || part.operator === "+";
  // Whether the rest can match somewhere ahead, through characters that the expression may hold.
  let open = false;
  for (let from = uri.length; from >= 0; from--) {
    // All variables of the expression may be undefined, and a rest may be empty.
    const isAbsent = mayBeAbsent && after[from] === 1;
    if (isAbsent || (open && uri.startsWith(first, from))) here[from] = 1;
    open = from > 0 && !part.closed.has(uri.charCodeAt(from - 1)) && (open || after[from] === 1);
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
    const end = endOf(part, uri, position, reach[index + 1]);
    for (const reading of readExpression(part, uri.slice(position, end)) ?? [undefined]) {
      const agreed = reading && agreedReading(found.get(reading[0].name), reading);
      if (agreed === undefined) return undefined;
      found.set(agreed[0].name, agreed);
    }
    position = end;
  }
  return Object.fromEntries(Array.from(found, ([name, [, value]]) => [name, value]));
}

/** Of a variable that a template has twice, the reading that has more of it; none when the two disagree. */
function agreedReading(before: Reading | undefined, reading: Reading): Reading | undefined {
  if (before === undefined) return reading;
  const [head, whole] = before[0].most < reading[0].most ? [before, reading] : [reading, before];
  const start = Array.from(String(whole[1])).slice(0, head[0].most).join("");
  return String(head[1]) === start ? whole : undefined;
}

function endOf(part: Expression, uri: string, start: number, after: Uint8Array | undefined): number {
  const { first } = SYNTAX[part.operator];
  if (first !== "" && !uri.startsWith(first, start)) return start;
  let end = start + Math.max(1, first.length);
  while (end < uri.length && after?.[end] !== 1) end++;
  return after?.[end] === 1 ? end : start;
}

/**
 * URI templates, matched without regular expressions: the time taken grows with the product of the lengths of
 * template and URI, whatever they hold.
 *
 * Supported are all operators of RFC 6570 up to level 3, and `*` on the variables of `/`, `.`, `?` and `&`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 * @module
 */

/** Values by variable name; several values for a variable marked `*`. */
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

interface Variable {
  name: string;
  explode: boolean;
}

type Operator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

interface Expression {
  operator: Operator;
  variables: Variable[];
  /** Codes of the characters that end it. */
  closed: ReadonlySet<number>;
}

type Part = { literal: string } | Expression;

/** Longer URIs match no template. */
const LONGEST_URI = 64 * 1024;

/** What each operator's expression starts with and puts between its variables. */
const SYNTAX: Record<Operator, { first: string; separator: string; named: boolean; closed: string }> = {
  "": { first: "", separator: ",", named: false, closed: "/?#" },
  "+": { first: "", separator: ",", named: false, closed: "" },
  "#": { first: "#", separator: ",", named: false, closed: "" },
  ".": { first: ".", separator: ".", named: false, closed: "/?#" },
  "/": { first: "/", separator: "/", named: false, closed: "?#" },
  ";": { first: ";", separator: ";", named: true, closed: "/?#" },
  "?": { first: "?", separator: "&", named: true, closed: "#" },
  "&": { first: "&", separator: "&", named: true, closed: "#" },
};

/**
 * @throws SyntaxError when the template is malformed or uses what is not supported (`{var:3}`, operators
 * reserved by the RFC).
 * @example
 * parseUriTemplate("climate://{city}/{year}").match("climate://S%C3%A3o%20Paulo/2020")
 * // { city: "São Paulo", year: "2020" }
 */
export function parseUriTemplate(text: string): UriTemplate {
  const parts = parseParts(text);
  const expressions = parts.flatMap((part) => ("literal" in part ? [] : part.variables));
  return {
    text,
    variables: expressions.map((variable) => variable.name),
    literalLength: parts.reduce((sum, part) => sum + ("literal" in part ? part.literal.length : 0), 0),
    match: (uri) => (uri.length > LONGEST_URI ? undefined : matchParts(parts, uri)),
  };
}

function parseParts(text: string): Part[] {
  const parts: Part[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf("{", position);
    const literal = text.slice(position, open < 0 ? undefined : open);
    if (literal.includes("}")) throw new SyntaxError(`"${text}" has a "}" without a "{".`);
    if (literal !== "") parts.push({ literal });
    if (open < 0) break;
    const close = text.indexOf("}", open);
    if (close < 0) throw new SyntaxError(`"${text}" has a "{" without a "}".`);
    parts.push(parseExpression(text.slice(open + 1, close), text));
    position = close + 1;
  }
  return parts;
}

function parseExpression(expression: string, text: string): Expression {
  const first = expression.charAt(0);
  const operator = (first !== "" && "+#./;?&".includes(first) ? first : "") as Operator;
  const variables = expression
    .slice(operator.length)
    .split(",")
    .map((spec): Variable => {
      const explode = spec.endsWith("*");
      const name = explode ? spec.slice(0, -1) : spec;
      if (!/^[A-Za-z0-9_.%-]+$/.test(name)) {
        throw new SyntaxError(`"{${expression}}" in "${text}" is not a supported URI template expression.`);
      }
      return { name, explode };
    });
  const closed = new Set(Array.from(SYNTAX[operator].closed, (character) => character.charCodeAt(0)));
  return { operator, variables, closed };
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
  // Whether the rest can match somewhere ahead, through characters that the expression may hold.
  let open = false;
  for (let from = uri.length; from >= 0; from--) {
    // Operators with a prefix may be absent altogether, as when all their variables are undefined.
    const isAbsent = first !== "" && after[from] === 1;
    if (isAbsent || (open && uri.startsWith(first, from))) here[from] = 1;
    open = from > 0 && !part.closed.has(uri.charCodeAt(from - 1)) && (open || after[from] === 1);
  }
}

function readVariables(
  parts: readonly Part[],
  uri: string,
  reach: readonly Uint8Array[],
): UriVariables | undefined {
  const found: [string, string | string[]][] = [];
  let position = 0;
  for (const [index, part] of parts.entries()) {
    if ("literal" in part) {
      position += part.literal.length;
      continue;
    }
    const end = endOf(part, uri, position, reach[index + 1]);
    const values = readExpression(part, uri.slice(position, end));
    if (values === undefined) return undefined;
    found.push(...values);
    position = end;
  }
  return Object.fromEntries(found);
}

function endOf(part: Expression, uri: string, start: number, after: Uint8Array | undefined): number {
  const { first } = SYNTAX[part.operator];
  if (first !== "" && !uri.startsWith(first, start)) return start;
  let end = start + Math.max(1, first.length);
  while (end < uri.length && after?.[end] !== 1) end++;
  return after?.[end] === 1 ? end : start;
}

function readExpression(part: Expression, text: string): [string, string | string[]][] | undefined {
  const { first, separator, named } = SYNTAX[part.operator];
  if (first !== "" && text === "") return [];
  const body = text.slice(first.length);
  return named ? readNamed(part.variables, body, separator) : readListed(part.variables, body, separator);
}

function readListed(
  variables: readonly Variable[],
  body: string,
  separator: string,
): [string, string | string[]][] | undefined {
  const [only] = variables;
  if (only !== undefined && variables.length === 1) {
    const pieces = only.explode ? decodeAll(body.split(separator)) : decodeAll([body])?.[0];
    // A path of several segments does not stand for one unexploded variable.
    if (!only.explode && separator !== "," && body.includes(separator)) return undefined;
    return pieces === undefined ? undefined : [[only.name, pieces]];
  }
  const pieces = decodeAll(body.split(separator));
  if (pieces === undefined || pieces.length > variables.length) return undefined;
  return pieces.flatMap((piece, index) => {
    const variable = variables[index];
    return variable === undefined ? [] : [[variable.name, piece] as [string, string]];
  });
}

function readNamed(
  variables: readonly Variable[],
  body: string,
  separator: string,
): [string, string | string[]][] | undefined {
  const found = new Map<string, string | string[]>();
  for (const pair of body.split(separator)) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = decode(equals < 0 ? "" : pair.slice(equals + 1));
    const variable = variables.find((each) => each.name === name);
    if (variable === undefined || value === undefined) return undefined;
    const before = found.get(name);
    if (before !== undefined && !variable.explode) return undefined;
    found.set(name, variable.explode ? [...(before ?? []), value] : value);
  }
  return [...found];
}

function decodeAll(pieces: readonly string[]): string[] | undefined {
  const decoded = pieces.map(decode);
  return decoded.every((piece) => piece !== undefined) ? decoded : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * What the text of one expression of a URI template says of its variables.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-3
 * @module
 */
import { type Expression, SYNTAX, type Variable } from "./uri-template-syntax.js";

/** What an expression says of a variable. */
export type Reading = readonly [Variable, string | string[]];

/** The values of the variables that are there; `undefined` when the text is none of this expression. */
export function readExpression(part: Expression, text: string): readonly Reading[] | undefined {
  const { first, separator, named } = SYNTAX[part.operator];
  if (first !== "" && text === "") return [];
  const body = text.slice(first.length);
  if (named) return readNamed(part.variables, body, separator);
  // An exploded rest that is empty is the list without values.
  return text === "" && part.variables.every(({ explode }) => explode)
    ? part.variables.map((variable) => [variable, []])
    : readListed(part.variables, body, separator);
}

function readListed(
  variables: readonly Variable[],
  body: string,
  separator: string,
): readonly Reading[] | undefined {
  const [only] = variables;
  // A comma in a variable that stands alone is its own; a path of several segments is no one variable.
  const pieces =
    variables.length === 1 && only?.explode === false && separator === "," ? [body] : body.split(separator);
  const exploded = variables.findIndex(({ explode }) => explode);
  if (exploded < 0 && pieces.length > variables.length) return undefined;
  // The values of an exploded variable are those that no other one needs.
  const spare = pieces.length - variables.length;
  const readings = variables.flatMap((variable, index): (Reading | undefined)[] => {
    const from = exploded >= 0 && index > exploded ? index + spare : index;
    const own = pieces.slice(from, index === exploded ? from + spare + 1 : from + 1);
    return own.length === 0 ? [] : [readValues(variable, own)];
  });
  return readings.every((reading) => reading !== undefined) ? readings : undefined;
}

function readNamed(
  variables: readonly Variable[],
  body: string,
  separator: string,
): readonly Reading[] | undefined {
  const texts = new Map<Variable, string[]>();
  for (const pair of body.split(separator)) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const variable = variables.find((each) => each.name === name);
    if (variable === undefined) return undefined;
    const before = texts.get(variable) ?? [];
    if (before.length > 0 && !variable.explode) return undefined;
    texts.set(variable, [...before, equals < 0 ? "" : pair.slice(equals + 1)]);
  }
  const readings = Array.from(texts, ([variable, own]) => readValues(variable, own));
  return readings.every((reading) => reading !== undefined) ? readings : undefined;
}

/** @param texts one, unless the variable is exploded */
function readValues(variable: Variable, texts: readonly string[]): Reading | undefined {
  const [text = ""] = texts;
  if (variable.explode) return withValue(variable, decodeAll(texts));
  if (!variable.isList) {
    const value = decode(text);
    return withValue(variable, Array.from(value ?? "").length > variable.most ? undefined : value);
  }
  return withValue(variable, text === "" ? [] : decodeAll(text.split(",")));
}

function withValue(variable: Variable, value: string | string[] | undefined): Reading | undefined {
  return value === undefined ? undefined : [variable, value];
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

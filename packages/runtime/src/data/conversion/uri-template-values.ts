/**
 * Reads variables from the text of one expression of a URI template.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-3
 * @module
 */
import { type Expression, SYNTAX, type Variable } from "./uri-template-syntax.js";

/** Value of a variable, as one expression contains it. */
export type Reading = readonly [Variable, string | string[]];

/** Returns the values of the variables that are present, or `undefined` if the text does not match the expression. */
export function readExpression(part: Expression, text: string): readonly Reading[] | undefined {
  const { prefix, separator, named } = SYNTAX[part.operator];
  if (prefix !== "" && text === "") return [];
  const body = text.slice(prefix.length);
  if (named) return readNamed(part.variables, body, separator);
  // If all variables are exploded, empty text means empty lists.
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
  // For a single variable, a comma or a dot is part of its value. Several path segments never match a single variable.
  const pieces =
    variables.length === 1 && only?.explode === false && separator !== "/" ? [body] : body.split(separator);
  const exploded = variables.findIndex(({ explode }) => explode);
  if (exploded < 0 && pieces.length > variables.length) return undefined;
  // An exploded variable receives the values that the other variables do not need.
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

/**
 * Decodes the value of a variable. Returns `undefined` if it is malformed or too long.
 *
 * @param texts a single string, unless the variable is exploded
 */
function readValues(variable: Variable, texts: readonly string[]): Reading | undefined {
  const [text = ""] = texts;
  if (variable.explode) return withValue(variable, decodeAll(texts));
  if (!variable.isList) {
    const value = decode(text);
    return withValue(variable, Array.from(value ?? "").length > variable.maxLength ? undefined : value);
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

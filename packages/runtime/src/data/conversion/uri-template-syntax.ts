/**
 * Parser for the syntax of URI templates.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-2
 * @module
 */

export interface Variable {
  name: string;
  /** True with the `*` modifier: each value is a separate item of the expression. */
  explode: boolean;
  /** Whether the value is a list whose items are separated by commas. */
  isList: boolean;
  /** Maximum length in characters, from the `:n` modifier; `Infinity` without one. */
  maxLength: number;
}

type Operator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

export interface Expression {
  operator: Operator;
  variables: Variable[];
  /** Codes of the characters that end the expression's text. */
  terminators: ReadonlySet<number>;
}

export type Part = { literal: string } | Expression;

/**
 * Syntax of each operator: its prefix, the separator between variables, whether variables are named, and the
 * characters that end it.
 */
export const SYNTAX: Record<
  Operator,
  { prefix: string; separator: string; named: boolean; terminators: string }
> = {
  "": { prefix: "", separator: ",", named: false, terminators: "/?#" },
  "+": { prefix: "", separator: ",", named: false, terminators: "" },
  "#": { prefix: "#", separator: ",", named: false, terminators: "" },
  ".": { prefix: ".", separator: ".", named: false, terminators: "/?#" },
  "/": { prefix: "/", separator: "/", named: false, terminators: "?#" },
  ";": { prefix: ";", separator: ";", named: true, terminators: "/?#" },
  "?": { prefix: "?", separator: "&", named: true, terminators: "#" },
  "&": { prefix: "&", separator: "&", named: true, terminators: "#" },
};

/**
 * Parses a template into literals and expressions.
 *
 * @param lists the names of variables whose values are lists
 * @throws SyntaxError if the template is malformed or has an operator that the RFC reserves
 */
export function parseParts(text: string, lists: ReadonlySet<string>): Part[] {
  const parts: Part[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf("{", position);
    const literal = text.slice(position, open < 0 ? undefined : open);
    if (literal.includes("}")) throw new SyntaxError(`"${text}" has a "}" without a "{".`);
    if (literal !== "") parts.push({ literal: toAscii(literal) ?? literal });
    if (open < 0) break;
    const close = text.indexOf("}", open);
    if (close < 0) throw new SyntaxError(`"${text}" has a "{" without a "}".`);
    parts.push(parseExpression(text.slice(open + 1, close), text, lists));
    position = close + 1;
  }
  return parts;
}

/** Pattern of a variable: its name and an optional modifier, `*` or a prefix length. */
const VARIABLE = /^([A-Za-z0-9_.%-]+)(\*|:[1-9]\d{0,3})?$/;

function parseExpression(expression: string, text: string, lists: ReadonlySet<string>): Expression {
  const prefix = expression.charAt(0);
  const operator = (prefix !== "" && "+#./;?&".includes(prefix) ? prefix : "") as Operator;
  const variables = expression
    .slice(operator.length)
    .split(",")
    .map((spec): Variable => {
      const [, name, modifier] = VARIABLE.exec(spec) ?? [];
      if (name === undefined) {
        throw new SyntaxError(`"{${expression}}" in "${text}" is not a URI template expression.`);
      }
      const explode = modifier === "*";
      const maxLength = modifier === undefined || explode ? Infinity : Number(modifier.slice(1));
      return { name, explode, isList: !explode && lists.has(name), maxLength };
    });
  const terminators = new Set(
    Array.from(SYNTAX[operator].terminators, (character) => character.charCodeAt(0)),
  );
  return { operator, variables, terminators };
}

/** Percent-encodes spaces, control characters, and non-ASCII characters. Returns `undefined` for a lone surrogate. */
export function toAscii(text: string): string | undefined {
  try {
    return /[^!-~]/.test(text) ? text.replaceAll(/[^!-~]+/g, encodeURIComponent) : text;
  } catch {
    return undefined;
  }
}

/**
 * The parts of a URI template.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-2
 * @module
 */

export interface Variable {
  name: string;
  /** Its values stand side by side in the expression, as `*` says. */
  explode: boolean;
  /** Its values stand between commas. */
  isList: boolean;
  /** Only so many of its first characters are there. */
  most: number;
}

type Operator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

export interface Expression {
  operator: Operator;
  variables: Variable[];
  /** Codes of the characters that end it. */
  closed: ReadonlySet<number>;
}

export type Part = { literal: string } | Expression;

/** What each operator's expression starts with and puts between its variables. */
export const SYNTAX: Record<Operator, { first: string; separator: string; named: boolean; closed: string }> =
  {
    "": { first: "", separator: ",", named: false, closed: "/?#" },
    "+": { first: "", separator: ",", named: false, closed: "" },
    "#": { first: "#", separator: ",", named: false, closed: "" },
    ".": { first: ".", separator: ".", named: false, closed: "/?#" },
    "/": { first: "/", separator: "/", named: false, closed: "?#" },
    ";": { first: ";", separator: ";", named: true, closed: "/?#" },
    "?": { first: "?", separator: "&", named: true, closed: "#" },
    "&": { first: "&", separator: "&", named: true, closed: "#" },
  };

/** @throws SyntaxError when the template is malformed or has an operator that the RFC reserves */
export function parseParts(text: string, lists: ReadonlySet<string>): Part[] {
  const parts: Part[] = [];
  let position = 0;
  while (position < text.length) {
    const open = text.indexOf("{", position);
    const literal = text.slice(position, open < 0 ? undefined : open);
    if (literal.includes("}")) throw new SyntaxError(`"${text}" has a "}" without a "{".`);
    if (literal !== "") parts.push({ literal: inAscii(literal) ?? literal });
    if (open < 0) break;
    const close = text.indexOf("}", open);
    if (close < 0) throw new SyntaxError(`"${text}" has a "{" without a "}".`);
    parts.push(parseExpression(text.slice(open + 1, close), text, lists));
    position = close + 1;
  }
  return parts;
}

/** A name, and how the variable is written: whole, `*` or the first characters of it. */
const VARIABLE = /^([A-Za-z0-9_.%-]+)(\*|:[1-9]\d{0,3})?$/;

function parseExpression(expression: string, text: string, lists: ReadonlySet<string>): Expression {
  const first = expression.charAt(0);
  const operator = (first !== "" && "+#./;?&".includes(first) ? first : "") as Operator;
  const variables = expression
    .slice(operator.length)
    .split(",")
    .map((spec): Variable => {
      const [, name, modifier] = VARIABLE.exec(spec) ?? [];
      if (name === undefined) {
        throw new SyntaxError(`"{${expression}}" in "${text}" is not a URI template expression.`);
      }
      const explode = modifier === "*";
      const most = modifier === undefined || explode ? Infinity : Number(modifier.slice(1));
      return { name, explode, isList: !explode && lists.has(name), most };
    });
  const closed = new Set(Array.from(SYNTAX[operator].closed, (character) => character.charCodeAt(0)));
  return { operator, variables, closed };
}

/** With the characters encoded that a URI has only so; `undefined` for what no URI can have. */
export function inAscii(text: string): string | undefined {
  try {
    return /[^!-~]/.test(text) ? text.replaceAll(/[^!-~]+/g, encodeURIComponent) : text;
  } catch {
    return undefined;
  }
}

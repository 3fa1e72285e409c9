/** An expression of TypeScript that is no value of JSON. */
export class SourceText {
  constructor(readonly text: string) {}
}

const WIDEST = 100;

/**
 * TypeScript of a value of JSON, in which parts may be expressions, as prettier would have it.
 *
 * @param indent of the line that it begins on
 * @param used how many columns of that line are taken
 * @example
 * sourceOf({ city: "Oslo", at: new SourceText("expect.any(String)") }, "", 0)
 * // '{ city: "Oslo", at: expect.any(String) }'
 */
export function sourceOf(value: unknown, indent: string, used: number): string {
  const line = onOneLine(value);
  if (indent.length + used + line.length <= WIDEST || typeof value !== "object" || value === null)
    return line;
  if (value instanceof SourceText) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((each) => `${inner}${sourceOf(each, inner, 1)},\n`);
    return items.length === 0 ? "[]" : `[\n${items.join("")}${indent}]`;
  }
  const members = Object.entries(value).map(([name, each]) => {
    const key = keyText(name);
    return `${inner}${key}: ${sourceOf(each, inner, key.length + 3)},\n`;
  });
  return members.length === 0 ? "{}" : `{\n${members.join("")}${indent}}`;
}

function onOneLine(value: unknown): string {
  if (value instanceof SourceText) return value.text;
  if (value === undefined) return "undefined";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  const members = Object.entries(value).map(([name, each]) => `${keyText(name)}: ${onOneLine(each)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function keyText(name: string): string {
  // As a literal, `__proto__` would be no member.
  if (name === "__proto__") return `["__proto__"]`;
  return isIdentifier(name) ? name : JSON.stringify(name);
}

/** `.name`, or `["na-me"]`, or `[0]`. */
export function memberText(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return isIdentifier(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** A TypeScript expression that is not a JSON value. */
export class SourceText {
  constructor(readonly text: string) {}
}

const MAX_COLUMNS = 100;

/**
 * Converts a JSON value, parts of which may be expressions, to TypeScript, formatted like Prettier's output.
 *
 * @param indent the indentation of its first line
 * @param usedColumns the number of columns already used on that line
 * @example
 * toSource({ city: "Oslo", at: new SourceText("expect.any(String)") }, "", 0)
 * // '{ city: "Oslo", at: expect.any(String) }'
 */
export function toSource(value: unknown, indent: string, usedColumns: number): string {
  const line = toOneLine(value);
  if (indent.length + usedColumns + line.length <= MAX_COLUMNS || typeof value !== "object" || value === null)
    return line;
  if (value instanceof SourceText) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((each) => `${inner}${toSource(each, inner, 1)},\n`);
    return items.length === 0 ? "[]" : `[\n${items.join("")}${indent}]`;
  }
  const members = Object.entries(value).map(([name, each]) => {
    const key = toKey(name);
    return `${inner}${key}: ${toSource(each, inner, key.length + 3)},\n`;
  });
  return members.length === 0 ? "{}" : `{\n${members.join("")}${indent}}`;
}

function toOneLine(value: unknown): string {
  if (value instanceof SourceText) return value.text;
  if (value === undefined) return "undefined";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toOneLine).join(", ")}]`;
  const members = Object.entries(value).map(([name, each]) => `${toKey(name)}: ${toOneLine(each)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function toKey(name: string): string {
  // In an object literal, `__proto__` would set the prototype.
  if (name === "__proto__") return `["__proto__"]`;
  return isIdentifier(name) ? name : JSON.stringify(name);
}

/** Returns the access to a member: `.name`, `["na-me"]`, or `[0]`. */
export function toMemberAccess(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return isIdentifier(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

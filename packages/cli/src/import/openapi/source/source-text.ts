import type { SecurityRequirements } from "../document/operations.js";

/** Returns the source of an object's member. The name `__proto__` is computed, since it would otherwise set the prototype. */
export function writeMember(name: string, value: string): string {
  if (name === value) return name;
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `${name === "__proto__" ? `["${name}"]` : key}: ${value}`;
}

/** Returns the source of a list of strings. @example writeList(["a", "b"]) // '["a", "b"]' */
export function writeList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}

/** Returns the source of security requirements. @example writeSecurity([["key"], []]) // '[["key"], []]' */
export function writeSecurity(security: SecurityRequirements): string {
  return `[${security.map(writeList).join(", ")}]`;
}

/** Escapes a string for a template literal, so that none of it is evaluated. */
export function escapeTemplate(text: string): string {
  return text.replaceAll(/[`\\$]/g, "\\$&");
}

/** Escapes a string for a comment, on one line. */
export function toCommentText(text: string): string {
  return text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
}

import type { SecurityRequirements } from "../document/operations.js";

/** Returns a member of an object. Of `__proto__` by itself, JavaScript would set the prototype. */
export function writeMember(name: string, value: string): string {
  if (name === value) return name;
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `${name === "__proto__" ? `["${name}"]` : key}: ${value}`;
}

/** @example listSource(["a", "b"]) // '["a", "b"]' */
export function listSource(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}

/** @example writeSecurity([["key"], []]) // '[["key"], []]' */
export function writeSecurity(security: SecurityRequirements): string {
  return `[${security.map(listSource).join(", ")}]`;
}

/** Escapes a string for a template: nothing in it is code. */
export function escapeTemplate(text: string): string {
  return text.replaceAll(/[`\\$]/g, "\\$&");
}

/** Escapes a string for a comment, on one line. */
export function toCommentText(text: string): string {
  return text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
}

/** A name as a member of an object. */
export function property(name: string): string {
  // By itself it would set the prototype.
  if (name === "__proto__") return `["${name}"]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** @example listText(["a", "b"]) // '["a", "b"]' */
export function listText(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}

export function securityText(security: readonly (readonly string[])[]): string {
  return `[${security.map(listText).join(", ")}]`;
}

/** A text as it stands in a template: nothing in it is code. */
export function templateText(text: string): string {
  return text.replaceAll(/[`\\$]/g, "\\$&");
}

/**
 * Returns a short hash of a JSON value, such as a schema. It does not depend on the order of members.
 *
 * @example
 * createFingerprint({ type: "object", properties: {} }) // "21c3rptmm6j"
 */
export function createFingerprint(value: unknown): string {
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (const char of JSON.stringify(sortMembers(value ?? null))) {
    const code = char.codePointAt(0) ?? 0;
    a = Math.imul(a ^ code, 0x85ebca6b);
    b = Math.imul(b ^ code, 0xc2b2ae35);
  }
  return ((a >>> 0) * 0x200000 + ((b >>> 0) & 0x1fffff)).toString(36);
}

/** Returns the fingerprint of the arguments of a prompt: their names, and whether they are required. */
export function createPromptFingerprint(prompt: {
  arguments?: readonly { name: string; required?: boolean | undefined }[] | undefined;
}): string {
  const given = (prompt.arguments ?? []).map(({ name, required }) => [name, required === true] as const);
  return createFingerprint(given.sort(([x], [y]) => (x < y ? -1 : 1)));
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return entries.sort(([x], [y]) => (x < y ? -1 : 1)).map(([name, member]) => [name, sortMembers(member)]);
}

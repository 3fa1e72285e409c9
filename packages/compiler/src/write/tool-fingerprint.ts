/**
 * Returns a short hash of a schema or another JSON value. It depends neither on the order of members, nor on what only
 * documents a schema, such as descriptions.
 *
 * @example
 * createFingerprint({ type: "object", properties: {} }) // "21c3rptmm6j"
 */
export function createFingerprint(value: unknown): string {
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (const char of JSON.stringify(normalize(value ?? null))) {
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

/** Keywords that document a schema, and do not affect its values. */
const DOCUMENTATION = new Set(["title", "description", "examples", "deprecated", "$comment"]);

/** Keywords whose members have names of any kind, so that `description` is one of them. */
const NAMED = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);

/** Keywords with values rather than schemas. */
const VALUES = new Set(["const", "enum", "default"]);

/** Sorts members by name, and removes documentation from schemas. */
function normalize(value: unknown, isSchema = true): unknown {
  if (Array.isArray(value)) return value.map((each) => normalize(each, isSchema));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name, member]) => member !== undefined && !(isSchema && DOCUMENTATION.has(name)),
  );
  return entries
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([name, member]) => [
      name,
      isSchema && NAMED.has(name) ? normalizeNamed(member) : normalize(member, isSchema && !VALUES.has(name)),
    ]);
}

/** Normalizes an object whose members are schemas. */
function normalizeNamed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1));
  return entries.map(([name, member]) => [name, normalize(member)]);
}

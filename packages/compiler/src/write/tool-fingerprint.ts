/**
 * Returns a short hash of a tool's schemas. It does not depend on the order of their members.
 *
 * @example
 * createFingerprint({ inputSchema: { type: "object", properties: {} } }) // "14765n7mjya"
 */
export function createFingerprint(tool: { inputSchema: unknown; outputSchema?: unknown }): string {
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (const char of JSON.stringify(sortMembers([tool.inputSchema, tool.outputSchema ?? null]))) {
    const code = char.codePointAt(0) ?? 0;
    a = Math.imul(a ^ code, 0x85ebca6b);
    b = Math.imul(b ^ code, 0xc2b2ae35);
  }
  return ((a >>> 0) * 0x200000 + ((b >>> 0) & 0x1fffff)).toString(36);
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return entries.sort(([x], [y]) => (x < y ? -1 : 1)).map(([name, member]) => [name, sortMembers(member)]);
}

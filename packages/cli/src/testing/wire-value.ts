/**
 * A value as JSON, in the way that Tenon writes the types which JSON has not: what a client would send for it.
 *
 * @example
 * wireValue({ since: new Date(0), tags: new Set(["a"]) }) // { since: "1970-01-01T00:00:00.000Z", tags: ["a"] }
 */
export function wireValue(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof RegExp) return value.source;
  if (value instanceof Set) return Array.from(value, wireValue);
  if (value instanceof Map) return wireMap(value);
  if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON() as unknown;
  if (Array.isArray(value)) return value.map(wireValue);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wireValue(each)]));
}

function wireMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const pairs = Array.from(map, ([key, value]) => [wireValue(key), wireValue(value)] as const);
  const isObject = [...map.keys()].every((key) => typeof key === "string");
  return isObject ? Object.fromEntries(pairs as [string, unknown][]) : pairs;
}

/**
 * The same as text, as arguments of prompts and variables of URIs are sent.
 *
 * @example
 * wireText(new Date(0)) // "1970-01-01T00:00:00.000Z"
 * wireText({ a: 1 }) // '{"a":1}'
 */
export function wireText(value: unknown): string {
  const json = wireValue(value);
  return typeof json === "object" ? JSON.stringify(json) : String(json);
}

/**
 * Returns the JSON value that a client would send, with other types, such as dates, as Tenon represents them.
 *
 * @example
 * toWireValue({ since: new Date(0), tags: new Set(["a"]) }) // { since: "1970-01-01T00:00:00.000Z", tags: ["a"] }
 */
export function toWireValue(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof RegExp) return value.source;
  if (value instanceof Set) return Array.from(value, toWireValue);
  if (value instanceof Map) return toWireMap(value);
  if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON() as unknown;
  if (Array.isArray(value)) return value.map(toWireValue);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toWireValue(each)]));
}

function toWireMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const pairs = Array.from(map, ([key, value]) => [toWireValue(key), toWireValue(value)] as const);
  const isObject = [...map.keys()].every((key) => typeof key === "string");
  return isObject ? Object.fromEntries(pairs as [string, unknown][]) : pairs;
}

/**
 * Returns the text of a value, as clients send arguments of prompts and variables of URIs.
 *
 * @example
 * toWireText(new Date(0)) // "1970-01-01T00:00:00.000Z"
 * toWireText({ a: 1 }) // '{"a":1}'
 */
export function toWireText(value: unknown): string {
  const json = toWireValue(value);
  return typeof json === "object" ? JSON.stringify(json) : String(json);
}

/**
 * Converts a value to the JSON value that a client would send, with dates and other types as Tenon represents them.
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
 * Converts a value to the text that clients send for arguments of prompts and variables of URIs.
 *
 * @example
 * toWireText(new Date(0)) // "1970-01-01T00:00:00.000Z"
 * toWireText({ a: 1 }) // '{"a":1}'
 */
export function toWireText(value: unknown): string {
  const json = toWireValue(value);
  return typeof json === "object" ? JSON.stringify(json) : String(json);
}

/**
 * Replaces each `File` and `Blob` in a value with a data URI, as clients with a file picker send them.
 *
 * @example
 * await withDataUris({ file: new File(["hello"], "a.txt", { type: "text/plain" }) })
 * // { file: "data:text/plain;name=a.txt;base64,aGVsbG8=" }
 */
export async function withDataUris<Value>(value: Value): Promise<Value> {
  return (await replaceFiles(value)) as Value;
}

async function replaceFiles(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return toDataUri(value);
  if (Array.isArray(value)) return Promise.all(value.map(replaceFiles));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  const members = Object.entries(value).map(
    async ([name, each]) => [name, await replaceFiles(each)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
}

/** Returns whether an object is a record, whose members are sent as they are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

async function toDataUri(blob: Blob): Promise<string> {
  const name = blob instanceof File ? `;name=${encodeURIComponent(blob.name)}` : "";
  const data = Buffer.from(await blob.arrayBuffer()).toString("base64");
  return `data:${blob.type}${name};base64,${data}`;
}

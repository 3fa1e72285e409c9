/** Library types without a JSON form, with the reason and an alternative. */
export const UNSUPPORTED_TYPES: Readonly<Record<string, { reason: string; edit: string }>> = {
  ...listUnsupported(
    "WeakMap WeakSet WeakRef",
    "whose members exist only inside one process",
    "Use a `Map`, a `Set`, or an object.",
  ),
  ...listUnsupported(
    "Error",
    "which JSON writes without its message",
    "Use an object with the message and other properties.",
  ),
  ...listUnsupported(
    "URLSearchParams Headers FormData",
    "whose entries are not members of an object",
    "Use a `Map<string, string>`, which `new Map(…)` creates from its entries.",
  ),
  ...listUnsupported("String", "a wrapper object", "Write `string`."),
  ...listUnsupported("Number", "a wrapper object", "Write `number`."),
  ...listUnsupported("Boolean", "a wrapper object", "Write `boolean`."),
  ...listUnsupported("BigInt", "a wrapper object", "Write `bigint`."),
  ...listUnsupported("Symbol", "a wrapper object", "Use a string literal type."),
  ...listUnsupported(
    "Int8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array",
    "which JSON cannot represent",
    "Use `number[]`, or `Uint8Array` for bytes.",
  ),
  ...listUnsupported("BigInt64Array BigUint64Array", "which JSON cannot represent", "Use `bigint[]`."),
  ...listUnsupported(
    "ArrayBuffer SharedArrayBuffer DataView",
    "which JSON cannot represent",
    "Use `Uint8Array`, which is sent as base64.",
  ),
  ...listUnsupported(
    "Iterator IteratorObject Iterable IterableIterator Generator AsyncIterator AsyncIterable AsyncIterableIterator " +
      "AsyncGenerator ArrayIterator MapIterator SetIterator ReadableStream WritableStream NodeJS.Iterator " +
      "NodeJS.AsyncIterator NodeJS.ReadableStream NodeJS.WritableStream NodeJS.ReadWriteStream",
    "which yields its values one at a time",
    "Collect the values in an array.",
  ),
};

function listUnsupported(
  names: string,
  reason: string,
  edit: string,
): Record<string, { reason: string; edit: string }> {
  return Object.fromEntries(names.split(" ").map((name) => [name, { reason, edit }]));
}

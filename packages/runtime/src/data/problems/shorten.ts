/**
 * Returns a value as text, short enough for a sentence.
 *
 * @param value usually JSON; a result may also contain what JSON cannot represent, such as a symbol
 */
export function shorten(value: unknown): string {
  if (value === undefined) return "nothing";
  // JSON text may contain numbers that are too large for JavaScript, which parses them as `Infinity`.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (Array.isArray(value) && value.length > 8) return `an array of ${value.length} items`;
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 80) : value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** Returns a JSON value as text, short enough for a sentence. */
export function shorten(value: unknown): string {
  if (value === undefined) return "nothing";
  // JSON text may contain numbers that are too large for JavaScript, which parses them as `Infinity`.
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value) && value.length > 8) return `an array of ${value.length} items`;
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 80) : value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

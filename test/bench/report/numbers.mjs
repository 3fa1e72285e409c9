/**
 * Formats numbers with three significant digits; the column's head has the unit.
 * @module
 */

/** @param {number | undefined} value */
export function number(value) {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

/** Returns the ratio of a value to a base. @param {number | undefined} value @param {number | undefined} base */
export function times(value, base) {
  if (value === undefined || base === undefined || Number.isNaN(value / base)) return "–";
  return `${(value / base).toFixed(2)}×`;
}

/** Returns a value and its ratio to a base. @param {number | undefined} value @param {number | undefined} base */
export function withRatio(value, base) {
  return value === undefined || Number.isNaN(value) ? "–" : `${number(value)} (${times(value, base)})`;
}

/**
 * Returns a Markdown table, in which every column but the first contains numbers.
 *
 * @param {string[]} head @param {string[][]} rows
 */
export function table(head, rows) {
  const rule = head.map((_, index) => (index === 0 ? "---" : "--:"));
  return [head, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/**
 * Numbers as a reader wants them: three digits that matter, the unit in the column's head.
 * @module
 */

/** @param {number | undefined} value */
export function number(value) {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (value >= 1000) return Math.round(value).toLocaleString("en-US").replaceAll(",", " ");
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

/** How many times the base a value is. @param {number | undefined} value @param {number | undefined} base */
export function times(value, base) {
  if (value === undefined || base === undefined || Number.isNaN(value / base)) return "–";
  return `${(value / base).toFixed(2)} ×`;
}

/** A value and how many times the base it is. @param {number | undefined} value @param {number | undefined} base */
export function withRatio(value, base) {
  return value === undefined || Number.isNaN(value) ? "–" : `${number(value)} (${times(value, base)})`;
}

/**
 * A Markdown table; every column but the first is of numbers.
 *
 * @param {string[]} head @param {string[][]} rows
 */
export function table(head, rows) {
  const rule = head.map((_, index) => (index === 0 ? "---" : "--:"));
  return [head, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

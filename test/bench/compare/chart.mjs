/**
 * Draws a chart of the main figures: start, throughput, and memory over HTTP, which every framework supports.
 * @module
 */
import { chartText, formatCell } from "./page.mjs";

/** @import { Results, RivalResults } from "./results.mjs" */

/** The colors of the documentation's theme. */
const THEMES = {
  light: { text: "#2b211a", quiet: "#756659", bar: "#cfc2b2", tenon: "#8f4a1b" },
  dark: { text: "#f1e8df", quiet: "#a39486", bar: "#4a3d33", tenon: "#e6a672" },
};

const PANELS = [
  { key: "coldStartHttp", title: "Start, ms", note: "less is better" },
  { key: "httpLegacy", title: "Requests/s", note: "more is better" },
  { key: "httpMemory", title: "Memory, MiB", note: "less is better" },
];

const LABEL_WIDTH = 112;
const PANEL_WIDTH = 216;
/** The width that is left for the number after the longest bar. */
const NUMBER_WIDTH = 66;
const HEAD_HEIGHT = 34;
const ROW_HEIGHT = 22;
const BAR_HEIGHT = 14;

/**
 * Returns the chart as SVG.
 *
 * @param {Results} results @param {keyof typeof THEMES} theme @returns {string}
 */
export function comparisonChart(results, theme) {
  const { rivals } = results;
  const { text, quiet } = THEMES[theme];
  const width = LABEL_WIDTH + PANELS.length * PANEL_WIDTH;
  const height = HEAD_HEIGHT + rivals.length * ROW_HEIGHT + 4;
  const labels = rivals.map(
    ({ name, label }, row) =>
      `<text x="0" y="${baseline(row)}"${name === "tenon" ? ' font-weight="600"' : ""}>${label}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${chartText(results)}</title>
<g font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" font-size="13" fill="${text}">
${labels.join("\n")}
${PANELS.map((panel, index) => panelText(panel, index, rivals, theme, quiet)).join("\n")}
</g>
</svg>
`;
}

/**
 * @param {(typeof PANELS)[number]} panel @param {number} index @param {readonly RivalResults[]} rivals
 * @param {keyof typeof THEMES} theme @param {string} quiet
 */
function panelText({ key, title, note }, index, rivals, theme, quiet) {
  const x = LABEL_WIDTH + index * PANEL_WIDTH;
  const values = rivals.map(({ cells: { [key]: cell } }) =>
    cell !== undefined && "value" in cell ? cell.value : 0,
  );
  const scale = (PANEL_WIDTH - NUMBER_WIDTH) / Math.max(...values, 1);
  const bars = rivals.map(({ name, cells }, row) => {
    const length = Math.max((values[row] ?? 0) * scale, 1).toFixed(1);
    const color = name === "tenon" ? THEMES[theme].tenon : THEMES[theme].bar;
    const top = HEAD_HEIGHT + row * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2;
    return `<rect x="${x}" y="${top}" width="${length}" height="${BAR_HEIGHT}" rx="2" fill="${color}"/><text x="${(x + Number(length) + 6).toFixed(1)}" y="${baseline(row)}">${formatCell(cells[key])}</text>`;
  });
  return `<text x="${x}" y="16"><tspan font-weight="600">${title}</tspan><tspan fill="${quiet}" dx="6">${note}</tspan></text>
${bars.join("\n")}`;
}

/** @param {number} row */
function baseline(row) {
  return HEAD_HEIGHT + row * ROW_HEIGHT + ROW_HEIGHT / 2 + 4.5;
}

/**
 * The three figures of the documentation's landing page, read from RESULTS.md.
 * @module
 */

const BEGIN = "<!-- Written by npm run bench -->";
const END = "<!-- end -->";

/**
 * Returns the landing page with the figures of these results.
 *
 * @param {string} page The text of packages/docs/index.md.
 * @param {string} results The text of RESULTS.md.
 * @throws Error if the page has no markers for figures, or the results lack one of them.
 */
export function withFigures(page, results) {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`The page has no markers for figures: ${BEGIN} … ${END}`);
  return `${page.slice(0, start + BEGIN.length)}\n\n${figures(results)}\n\n${page.slice(end)}`;
}

/** @param {string} results */
function figures(results) {
  const [cold, stdio, http] = ["## Cold start", "## stdio", "## HTTP"].map((title) =>
    results.slice(results.indexOf(title)),
  );
  const [started, sdkStarted] = [cell(cold, "Tenon", 1), cell(cold, "SDK v2", 1)];
  const [call, sdkCall] = [cell(stdio, "Tenon", 1), cell(stdio, "SDK v2", 1)];
  const [requests, sdkRequests] = ["Tenon, 2026-07-28", "SDK v2, 2026-07-28"].map((name) =>
    cell(http, name, 1),
  );
  const date = /(?<=on )\d{4}-\d\d-\d\d/.exec(results)?.[0];
  const node = /(?<=Node )\d+/.exec(results)?.[0];
  const sdk = /(?<=@modelcontextprotocol\/server )[\d.]+/.exec(results)?.[0];
  return [
    `- **${ratio(requests, sdkRequests)}×** as many requests per second over HTTP: ${english(requests)}, compared with ${english(sdkRequests)} with the SDK`,
    `- **${ratio(sdkCall, call)}×** as many calls over stdio in the same processor time: ${call} µs for one, compared with ${sdkCall} µs with the SDK`,
    `- **${Math.round(value(started))} ms** from start to the first list of tools, compared with ${Math.round(value(sdkStarted))} ms with the SDK`,
    "",
    `Both servers have the same three tools. The SDK is the official TypeScript SDK ${sdk}. Measured on ${date} with Node.js ${node} by`,
    "`npm run bench`.",
  ].join("\n");
}

/** @param {string | undefined} a @param {string | undefined} b */
function ratio(a, b) {
  return String(Math.round(value(a) / value(b)));
}

/** @param {string | undefined} cell */
function english(cell) {
  return value(cell).toLocaleString("en-US");
}

/** @param {string | undefined} cell Such as `57,824`. */
function value(cell) {
  return Number(cell?.replaceAll(/[\s,]/g, ""));
}

/**
 * Returns a cell of the first table that has this row, without the part in parentheses.
 *
 * @param {string | undefined} section @param {string} row @param {number} column
 */
function cell(section, row, column) {
  const rows = section?.split("\n").map((line) => line.split("|").map((each) => each.trim())) ?? [];
  const found = rows.find((cells) => cells[1] === row)?.at(column + 1);
  const text = found?.replace(/\(.*\)/, "").trim();
  if (text === undefined || Number.isNaN(value(text)))
    throw new Error(`RESULTS.md has no figure for ${row}.`);
  return text;
}

/**
 * Writes the page of the comparison from its results.
 * @module
 */
import { number, table } from "../report/numbers.mjs";
import { TABLES } from "./results.mjs";

/** @import { Cell, Column, Results, RivalResults } from "./results.mjs" */

/**
 * Returns the page as Markdown.
 *
 * @param {Results} results @returns {string}
 */
export function comparisonPage(results) {
  const { date, rounds, minutes, machine, rivals } = results;
  return `# Comparison

This page compares Tenon with other frameworks for MCP servers in TypeScript. Each server has the same three tools:
\`add\` adds two numbers, \`search\` has nested arguments and an \`outputSchema\`, and \`document\` returns 64 KiB. It is
written as the documentation of its framework recommends, with the default options.

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="../pictures/comparison-dark.svg">
  <img src="../pictures/comparison-light.svg" alt="${chartText(results)}">
</picture>

## Reproduce the figures

In a clone of the repository, with Node.js 20.19 or newer and Linux:

\`\`\`sh
npm ci && npm run compare
\`\`\`

The command installs each framework from the lock file in its folder, builds and starts its server, measures it, and writes
this page. The servers are in \`test/bench/rivals\`, and the measurements in \`test/bench/compare\`. The figures on this page are from this run:

- ${date}, medians of ${rounds} interleaved rounds, ${minutes.toFixed(0)} minutes
${machine.map((line) => `- ${line}`).join("\n")}

The best number of a column is bold, even if it isn't Tenon's. Below each table, a note explains its dashes.

${table(["framework", "package", "version", "Node.js"], rivals.map(versionRow))}

${TABLES.map((each) => section(each, rivals)).join("\n\n")}
`;
}

/** Describes the chart for readers who do not see it. @param {Results} results */
export function chartText({ rivals }) {
  const rows = rivals.map(({ label, cells }) => {
    const [start, requests, memory] = [cells.coldStartHttp, cells.httpLegacy, cells.httpMemory].map(
      formatCell,
    );
    return `${label}: ${start} ms, ${requests} requests/s, ${memory} MiB`;
  });
  return `Start, throughput, and memory over HTTP. ${rows.join("; ")}.`;
}

/** @param {RivalResults} rival */
function versionRow({ label, site, version, node, package: name }) {
  return [`[${label}](${site})`, `\`${name}\``, version, node];
}

/** @param {(typeof TABLES)[number]} part @param {readonly RivalResults[]} rivals */
function section({ title, about, columns }, rivals) {
  /** @type {string[]} */
  const notes = [];
  /** @type {(cell: Cell | undefined) => string} */
  const dash = (cell) => {
    const note = cell !== undefined && "absent" in cell ? cell.absent : "It was not measured.";
    if (!notes.includes(note)) notes.push(note);
    return `– (${notes.indexOf(note) + 1})`;
  };
  const best = new Map(columns.map((column) => [column.key, findBest(column, rivals)]));
  const rows = rivals.map(({ label, cells }) => [
    label,
    ...columns.map(({ key }) => {
      const cell = cells[key];
      const text = formatCell(cell);
      if (text === "–") return dash(cell);
      return cell !== undefined && "value" in cell && cell.value === best.get(key) ? `**${text}**` : text;
    }),
  ]);
  const listed = notes.map((note, index) => `${index + 1}. ${note}`).join("\n");
  return [`## ${title}`, about, table(["framework", ...columns.map((each) => each.title)], rows), listed]
    .filter((each) => each !== "")
    .join("\n\n");
}

/** @param {Column} column @param {readonly RivalResults[]} rivals */
function findBest({ key, better }, rivals) {
  const values = rivals.flatMap(({ cells: { [key]: cell } }) =>
    cell !== undefined && "value" in cell ? [cell.value] : [],
  );
  if (better === undefined || values.length === 0) return undefined;
  return better === "less" ? Math.min(...values) : Math.max(...values);
}

/** Returns the text of a cell. @param {Cell | undefined} cell @returns {string} a dash if it is absent */
export function formatCell(cell) {
  if (cell === undefined || "absent" in cell) return "–";
  if ("text" in cell) return cell.text;
  return Number.isInteger(cell.value) && cell.value < 1000 ? String(cell.value) : number(cell.value);
}

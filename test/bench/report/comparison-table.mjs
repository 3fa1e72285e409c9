/**
 * The comparison table of README.md: the results that matter for a choice between frameworks.
 * @module
 */
import { number, table } from "./numbers.mjs";

/** @typedef {import("../measured.mjs").Measured} Measured */

const BEGIN = "<!-- Written by npm run bench -->";
const END = "<!-- end -->";

/** The names of each subject in the parts of the results. */
const SUBJECTS = [
  { label: "Tenon", name: "tenon", http: "Tenon, sessions" },
  { label: "SDK v1", name: "sdk-v1", http: "SDK v1, sessions" },
  { label: "SDK v2", name: "sdk-v2", http: "SDK v2, sessions" },
  { label: "FastMCP", name: "fastmcp", http: "FastMCP, sessions" },
];

/**
 * Returns the page with the table between its markers.
 *
 * @param {string} page @param {Measured} measured @param {Record<string, string>} versions
 */
export function withComparison(page, measured, versions) {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`The page has no markers for the table: ${BEGIN} … ${END}`);
  return `${page.slice(0, start + BEGIN.length)}\n\n${comparisonTable(measured, versions)}\n\n${page.slice(end)}`;
}

/** @param {Measured} measured @param {Record<string, string>} versions */
function comparisonTable({ cold, stdio, http, sizes, answers }, versions) {
  const starts = new Map(cold?.starts.map(({ name, cpuMs }) => [name, cpuMs.get(0)]));
  const head = [
    "",
    "Tenon",
    `SDK ${versions["@modelcontextprotocol/sdk"]}`,
    `SDK ${versions["@modelcontextprotocol/server"]}`,
    `FastMCP ${versions["fastmcp"]}`,
  ];
  /** @param {string} name @param {(subject: (typeof SUBJECTS)[number]) => string} of */
  const row = (name, of) => [name, ...SUBJECTS.map(of)];
  const rows = [
    row("cold start, CPU ms", ({ name }) => number(starts.get(name))),
    row("call over stdio, CPU µs", ({ label }) => number(stdio?.get(label)?.add)),
    row("requests/s over HTTP", (subject) => number(http?.get(subject.http)?.perSecond)),
    row("memory after 20 000 calls, MiB", ({ label }) => number(stdio?.get(label)?.peakMebibytes)),
    row("packages installed", ({ name }) => String(sizes?.get(name)?.packages ?? "–")),
    ...[...(answers ?? [])].map(([name, bySubject]) => [name, ...bySubject.values()]),
  ];
  return table(head, rows);
}

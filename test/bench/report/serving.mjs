/**
 * The tables of the costs of serving.
 * @module
 */
import { number, table, times, withRatio } from "./numbers.mjs";

/** @typedef {import("../measures/cold-start.mjs").ColdStart} ColdStart */
/** @typedef {import("../measures/stdio.mjs").StdioSample} StdioSample */
/** @typedef {import("../measures/http.mjs").HttpSample} HttpSample */
/** @typedef {import("../measures/size.mjs").Size} Size */
/** @typedef {import("../measures/auth.mjs").AuthSample} AuthSample */
/** @typedef {import("../measures/protections.mjs").ProtectionSample} ProtectionSample */

/** @type {Record<string, string>} */
const LABEL = { raw: "raw", tenon: "Tenon", "sdk-v1": "SDK v1", "sdk-v2": "SDK v2", fastmcp: "FastMCP" };

/** @param {{ empty: { ms: number, cpuMs: number }, starts: ColdStart[] }} measured */
export function coldStartTable({ empty, starts }) {
  const raw = starts.find(({ name }) => name === "raw");
  const extras = [...(raw?.ms.keys() ?? [])];
  const rows = (/** @type {"ms" | "cpuMs"} */ which) =>
    starts.map((start) => [
      LABEL[start.name] ?? start.name,
      ...extras.map((extra) => withRatio(start[which].get(extra), raw?.[which].get(extra))),
    ]);
  const head = ["", ...extras.map((extra) => `${extra + 3} tools`)];
  return `## Cold start

Time from spawn to the last page of \`tools/list\` after the handshake, over stdio, in ms (× raw with as many tools). An
empty script takes ${number(empty.ms)} ms.

${table(head, rows("ms"))}

CPU of the server in that time, in ms (× raw). An empty script takes ${number(empty.cpuMs)} ms.

${table(head, rows("cpuMs"))}`;
}

/** @param {Map<string, StdioSample>} samples */
export function stdioTable(samples) {
  const rows = [...samples].map(([name, sample]) => {
    const raw = samples.get(name.includes("2026") ? "raw, 2026-07-28" : "raw");
    return [
      name,
      withRatio(sample.add, raw?.add),
      withRatio(sample.search, raw?.search),
      withRatio(sample.document, raw?.document),
      withRatio(sample.p50, raw?.p50),
      withRatio(sample.peakMebibytes, raw?.peakMebibytes),
    ];
  });
  return `## stdio

Server CPU in µs per call with 64 calls in progress; the median latency of \`add\` in µs, one call after the other; the
highest resident memory in MiB after 20,000 calls. Ratios to raw of the same era are in parentheses.

${table(["", "add", "search", "64 KiB reply", "sequential p50", "peak RSS"], rows)}`;
}

/** @param {Map<string, HttpSample>} samples */
export function httpTable(samples) {
  const rows = [...samples].map(([name, sample]) => {
    const raw = rawFor(samples, name);
    return [
      name,
      withRatio(sample.perSecond, raw?.perSecond),
      times(sample.perSecond, samples.get("SDK v2, 2026-07-28")?.perSecond),
      withRatio(sample.cpu, raw?.cpu),
      withRatio(sample.p99, raw?.p99),
      withRatio(sample.documentCpu, raw?.documentCpu),
      `${number(sample.clientBusy * 100)}%`,
    ];
  });
  const head = [
    "",
    "requests/s",
    "× SDK v2 at 2026-07-28",
    "CPU µs",
    "p99 ms",
    "64 KiB reply, CPU µs",
    "client CPU",
  ];
  return `## HTTP

\`add\` over 32 connections, each with one request at a time. Ratios to raw are in parentheses. “Client CPU” is the
share of one processor that the load generator uses.

${table(head, rows)}`;
}

/** @param {Map<string, HttpSample>} samples @param {string} name */
export function rawFor(samples, name) {
  return samples.get(name.endsWith("sessions") || name.endsWith("stateless") ? "raw, sessions" : "raw");
}

/** @param {Map<string, Size>} sizes */
export function sizeTable(sizes) {
  const rows = [...sizes].map(([name, size]) => [
    LABEL[name] ?? name,
    number(size.mebibytes),
    String(size.packages),
    number(size.bundleKibibytes),
    number(size.loadedKibibytes),
  ]);
  return `## Size

The size of \`node_modules\` of a deployed server, and of the three-tool server as one minified bundle with all transports.
The last column is the code that is loaded before the response to \`tools/list\` over stdio.

${table(["", "MiB on disk", "packages", "bundle KiB", "loaded KiB over stdio"], rows)}`;
}

/** @param {Map<string, AuthSample>} samples */
export function authTable(samples) {
  const rows = [...samples].map(([name, { p50, p99 }]) => [name, number(p50), number(p99)]);
  return `## Authentication

The time to identify the caller of a request, in µs: one request after the other, with the issuer's keys cached. A
verified token is remembered for 30 seconds. A proof is verified each time. \`jose\` verifies signatures on other threads
and does not delay other requests.

${table(["", "p50", "p99"], rows)}`;
}

/** @param {Map<string, ProtectionSample>} samples */
export function protectionsTable(samples) {
  const [raw, off] = [samples.get("raw"), samples.get("Tenon, no protection")];
  const rows = [...samples].map(([name, { cpu, perSecond }]) => [
    name,
    withRatio(cpu, off?.cpu),
    times(cpu, raw?.cpu),
    withRatio(perSecond, off?.perSecond),
  ]);
  return `## Cost of protections

\`add\` over HTTP at 2026-07-28 and 32 connections, with one protection enabled, or all of them. Ratios to Tenon without protections are in
parentheses.

${table(["", "CPU µs", "× raw CPU", "requests/s"], rows)}`;
}

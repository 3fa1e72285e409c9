/**
 * Results of the comparison, as they are stored in `results.json`.
 * @module
 */

/**
 * @typedef {{ value: number } | { text: string } | { absent: string }} Cell a measured number, an observation, or the reason
 * for which neither exists
 */

/**
 * @typedef {object} RivalResults
 * @property {string} name
 * @property {string} label
 * @property {string} version
 * @property {string} package
 * @property {string} site
 * @property {string} node the version that ran it
 * @property {Record<string, Cell>} cells by the keys of `TABLES`
 */

/**
 * @typedef {object} Results
 * @property {string} date
 * @property {number} rounds
 * @property {number} minutes
 * @property {string[]} machine
 * @property {RivalResults[]} rivals
 */

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} title
 * @property {"less" | "more"} [better] which numbers are better; observations have none
 */

/** @type {readonly { title: string, about: string, columns: readonly Column[] }[]} */
export const TABLES = [
  {
    title: "Start and throughput",
    about: `“Start” is the time from spawn to the response to \`tools/list\`, including the handshake. “Calls” is the throughput of
\`add\` over stdio with 64 calls in progress, and “CPU” the server's processor time for one. “Requests” is the throughput over
HTTP with 32 connections, at the last revision with a handshake and at the stateless revision.`,
    columns: [
      { key: "coldStartStdio", title: "start, stdio, ms", better: "less" },
      { key: "coldStartHttp", title: "start, HTTP, ms", better: "less" },
      { key: "stdioCalls", title: "calls/s, stdio", better: "more" },
      { key: "stdioCpu", title: "CPU µs per call", better: "less" },
      { key: "httpLegacy", title: "requests/s, 2025-11-25", better: "more" },
      { key: "httpModern", title: "requests/s, 2026-07-28", better: "more" },
    ],
  },
  {
    title: "Memory and size",
    about: `“Memory” is the highest resident memory after these calls. “Deployed” counts what a server needs when it runs, and
“project” what its author installs, including a compiler if the server needs one. Both sizes are those on disk.
“Bundle” is the server with its packages and all its transports as minified JavaScript, made by esbuild.`,
    columns: [
      { key: "stdioMemory", title: "memory, stdio, MiB", better: "less" },
      { key: "httpMemory", title: "memory, HTTP, MiB", better: "less" },
      { key: "deployedPackages", title: "deployed packages", better: "less" },
      { key: "deployedMebibytes", title: "deployed MiB", better: "less" },
      { key: "projectPackages", title: "project packages", better: "less" },
      { key: "projectMebibytes", title: "project MiB", better: "less" },
      { key: "bundleKibibytes", title: "bundle KiB", better: "less" },
    ],
  },
  {
    title: "Protocol",
    about: `“Checks” counts the checks of the official conformance suite that pass, in the scenarios that need no tools,
resources, or prompts made for the suite. \`npm run conformance\` runs the whole suite with a Tenon server that has those,
\`examples/everything\`.`,
    columns: [
      { key: "revisions", title: "revisions" },
      { key: "conformanceLegacy", title: "checks, 2025-11-25" },
      { key: "conformanceModern", title: "checks, 2026-07-28" },
    ],
  },
  {
    title: "Behavior",
    about: `Each server was tested in the same cases, over stdio, or over HTTP if it has no stdio: text instead of a number; an
argument that the schema does not define; a tool whose result does not match its \`outputSchema\`; a tool that throws an
error with a password in its message; a tool that calls \`console.log\` over stdio; and the end of the process that started the server over stdio.`,
    columns: [
      { key: "invalidArgument", title: "invalid argument" },
      { key: "unknownArgument", title: "unknown argument" },
      { key: "invalidResult", title: "invalid result" },
      { key: "exception", title: "exception" },
      { key: "printing", title: "`console.log`" },
      { key: "orphan", title: "orphaned process" },
    ],
  },
];

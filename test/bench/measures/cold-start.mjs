import { StdioClient } from "../clients/stdio-client.mjs";
import { WrongAnswer } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros } from "../process-usage.mjs";
import { interleave, median } from "../statistics.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../scratch/prepare.mjs").SubjectName} SubjectName */

/**
 * @typedef {object} ColdStart medians by number of extra tools
 * @property {string} name
 * @property {Map<number, number>} ms
 * @property {Map<number, number>} cpuMs of the server; other work on the machine hardly affects it
 */
/** @typedef {{ ms: number, cpuMs: number }} Start */

/** @type {SubjectName[]} */
const SUBJECTS = ["raw", "tenon", "sdk-v1", "sdk-v2", "fastmcp"];

/**
 * Measures the time from spawning a server to its complete list of tools, with the handshake, over stdio.
 *
 * @param {Bench} bench @param {number} rounds @param {readonly number[]} extras
 * @returns {Promise<{ empty: Start, starts: ColdStart[] }>}
 */
export async function measureColdStart(bench, rounds, extras) {
  const starts = SUBJECTS.map((name) => ({ name, ms: new Map(), cpuMs: new Map() }));
  /** @type {Start[]} */
  const empty = [];
  for (const extra of extras) {
    const names = ["empty", ...SUBJECTS];
    const samples = await interleave(rounds, names, (name) =>
      name === "empty" ? startEmpty(bench) : untilList(bench, /** @type {SubjectName} */ (name), extra),
    );
    empty.push(...(samples.get("empty") ?? []));
    for (const { name, ms, cpuMs } of starts) {
      const both = medianStart(samples.get(name) ?? []);
      ms.set(extra, both.ms);
      cpuMs.set(extra, both.cpuMs);
    }
  }
  return { empty: medianStart(empty), starts };
}

/** @param {Start[]} starts @returns {Start} */
function medianStart(starts) {
  return { ms: median(starts.map((each) => each.ms)), cpuMs: median(starts.map((each) => each.cpuMs)) };
}

/** @param {Bench} bench @param {SubjectName} subject @param {number} extra @returns {Promise<Start>} */
export async function untilList(bench, subject, extra) {
  const started = performance.now();
  const client = new StdioClient(bench.command(subject, { extra }), "legacy");
  try {
    await client.open();
    const tools = await listTools(client);
    const ms = performance.now() - started;
    const cpuMs = (cpuMicros(client.server.pid) ?? Number.NaN) / 1000;
    if (tools !== extra + 3) throw new WrongAnswer("tools/list", `${tools} tools`);
    return { ms, cpuMs };
  } finally {
    await client.stop();
  }
}

/** Requests every page of the list. @param {StdioClient} client @returns {Promise<number>} the number of tools */
async function listTools(client) {
  let tools = 0;
  /** @type {string | undefined} */
  let cursor;
  do {
    const { result } = await client.request("tools/list", cursor === undefined ? {} : { cursor });
    tools += result.tools.length;
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

/** @param {Bench} bench @returns {Promise<Start>} */
async function startEmpty(bench) {
  const started = performance.now();
  const server = new ServerProcess(bench.empty);
  const both = await new Promise((resolve) => {
    server.child.stdout.once("data", () => {
      const ms = performance.now() - started;
      resolve({ ms, cpuMs: (cpuMicros(server.pid) ?? Number.NaN) / 1000 });
    });
  });
  await server.stop();
  return both;
}

import { CALLS } from "../clients/requests.mjs";
import { StdioClient } from "../clients/stdio-client.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";
import { interleave, median, percentile } from "../statistics.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../clients/requests.mjs").Call} Call */

/**
 * @typedef {object} StdioSample server CPU in microseconds per call, latencies in microseconds
 * @property {number | undefined} add
 * @property {number | undefined} search
 * @property {number | undefined} document
 * @property {number} p50 of `add`, one call after the other
 * @property {number | undefined} peakMebibytes after 20,000 calls
 */
/** @typedef {{ addCalls: number, documentCalls: number, sequentialCalls: number }} StdioLoad */

export const STDIO_SUBJECTS = /** @type {const} */ ({
  raw: { subject: "raw", era: "legacy" },
  "raw, 2026-07-28": { subject: "raw", era: "modern" },
  Tenon: { subject: "tenon", era: "legacy" },
  "Tenon without output checks": { subject: "tenon-unchecked", era: "legacy" },
  "Tenon, 2026-07-28": { subject: "tenon", era: "modern" },
  "SDK v1": { subject: "sdk-v1", era: "legacy" },
  "SDK v2": { subject: "sdk-v2", era: "legacy" },
  "SDK v2, 2026-07-28": { subject: "sdk-v2", era: "modern" },
  FastMCP: { subject: "fastmcp", era: "legacy" },
});

const IN_FLIGHT = 64;
/** The load that also warms up a server. */
const CALLS_BEFORE_PEAK = 20_000;

/**
 * @param {Bench} bench @param {number} rounds @param {StdioLoad} load
 * @returns {Promise<Map<string, StdioSample>>} medians by name
 */
export async function measureStdio(bench, rounds, load) {
  const samples = await interleave(rounds, Object.keys(STDIO_SUBJECTS), (name) =>
    measureOnce(bench, /** @type {keyof typeof STDIO_SUBJECTS} */ (name), load),
  );
  return new Map([...samples].map(([name, each]) => [name, medians(each)]));
}

/** @param {Bench} bench @param {keyof typeof STDIO_SUBJECTS} name @param {StdioLoad} load */
async function measureOnce(bench, name, load) {
  const { subject, era } = STDIO_SUBJECTS[name];
  const client = new StdioClient(bench.command(subject), era);
  try {
    await client.open();
    await client.load(CALLS.add, CALLS_BEFORE_PEAK, IN_FLIGHT);
    const peakMebibytes = residentMebibytes(client.server.pid, "VmHWM");
    const add = await cpuPerCall(client, CALLS.add, load.addCalls, load.addCalls / 4);
    const search = await cpuPerCall(client, CALLS.search, load.addCalls, load.addCalls / 4);
    const document = await cpuPerCall(client, CALLS.document, load.documentCalls, load.documentCalls / 4);
    const latencies = await client.sequential(CALLS.add, load.sequentialCalls);
    return { add, search, document, p50: percentile(latencies, 0.5) * 1000, peakMebibytes };
  } finally {
    await client.stop();
  }
}

/** @param {StdioClient} client @param {Call} call @param {number} count @param {number} warmUp */
export async function cpuPerCall(client, call, count, warmUp) {
  await client.load(call, Math.ceil(warmUp), IN_FLIGHT);
  const before = cpuMicros(client.server.pid);
  await client.load(call, count, IN_FLIGHT);
  const after = cpuMicros(client.server.pid);
  return before === undefined || after === undefined ? undefined : (after - before) / count;
}

/** @param {StdioSample[]} samples @returns {StdioSample} */
function medians(samples) {
  const of = (/** @type {"add" | "search" | "document" | "peakMebibytes"} */ key) => {
    const values = samples.flatMap((sample) => sample[key] ?? []);
    return values.length === 0 ? undefined : median(values);
  };
  return {
    add: of("add"),
    search: of("search"),
    document: of("document"),
    p50: median(samples.map((sample) => sample.p50)),
    peakMebibytes: of("peakMebibytes"),
  };
}

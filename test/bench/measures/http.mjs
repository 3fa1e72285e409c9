import { HttpClient } from "../clients/http-client.mjs";
import { CALLS } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";
import { interleave, median, percentile } from "../statistics.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../scratch/prepare.mjs").SubjectName} SubjectName */
/** @typedef {import("../clients/http-client.mjs").HttpMode} HttpMode */

/**
 * @typedef {object} HttpSample
 * @property {number} perSecond
 * @property {number | undefined} cpu microseconds of the server per request
 * @property {number} p50 in milliseconds
 * @property {number} p99 in milliseconds
 * @property {number} clientBusy share of one processor that the client itself used
 * @property {number | undefined} documentCpu microseconds of the server per reply of 64 KiB
 * @property {number | undefined} peakMebibytes at the end
 */

/** @type {Record<string, { subject: SubjectName, mode: HttpMode }>} */
export const HTTP_SUBJECTS = {
  raw: { subject: "raw", mode: "modern" },
  "raw, sessions": { subject: "raw", mode: "sessions" },
  "Tenon, 2026-07-28": { subject: "tenon", mode: "modern" },
  "Tenon, sessions": { subject: "tenon", mode: "sessions" },
  "SDK v1, stateless": { subject: "sdk-v1", mode: "stateless" },
  "SDK v1, sessions": { subject: "sdk-v1", mode: "sessions" },
  "SDK v2, 2026-07-28": { subject: "sdk-v2", mode: "modern" },
  "SDK v2, sessions": { subject: "sdk-v2", mode: "sessions" },
};

const CONNECTIONS = 32;
/** The duration of the warm-up. In a shorter one, V8 would still be compiling when the measurement begins. */
const WARM_UP_MS = 750;

/**
 * @param {Bench} bench @param {number} rounds @param {number} milliseconds for which each load lasts
 * @returns {Promise<Map<string, HttpSample>>} medians by name
 */
export async function measureHttp(bench, rounds, milliseconds) {
  const samples = await interleave(rounds, Object.keys(HTTP_SUBJECTS), (name) =>
    measureOnce(bench, name, milliseconds),
  );
  return new Map([...samples].map(([name, each]) => [name, medians(each)]));
}

/** @param {Bench} bench @param {string} name @param {number} milliseconds @returns {Promise<HttpSample>} */
async function measureOnce(bench, name, milliseconds) {
  const { subject, mode } = /** @type {(typeof HTTP_SUBJECTS)[string]} */ (HTTP_SUBJECTS[name]);
  const server = new ServerProcess(bench.command(subject, { http: true, stateless: mode === "stateless" }));
  try {
    const client = await HttpClient.open(await server.address(), mode, CONNECTIONS);
    await client.load(CALLS.add, { milliseconds: Math.max(WARM_UP_MS, milliseconds / 2) });
    const cpuBefore = cpuMicros(server.pid);
    const own = process.cpuUsage();
    const { latencies, seconds } = await client.load(CALLS.add, { milliseconds });
    const { user, system } = process.cpuUsage(own);
    const cpuAfter = cpuMicros(server.pid);
    await client.load(CALLS.document, { milliseconds: milliseconds / 8 });
    const documentBefore = cpuMicros(server.pid);
    const documents = await client.load(CALLS.document, { milliseconds: milliseconds / 4 });
    const documentAfter = cpuMicros(server.pid);
    client.close();
    return {
      perSecond: latencies.length / seconds,
      cpu: difference(cpuBefore, cpuAfter, latencies.length),
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      clientBusy: (user + system) / 1e6 / seconds,
      documentCpu: difference(documentBefore, documentAfter, documents.latencies.length),
      peakMebibytes: residentMebibytes(server.pid, "VmHWM"),
    };
  } finally {
    await server.stop();
  }
}

/** @param {number | undefined} before @param {number | undefined} after @param {number} count */
function difference(before, after, count) {
  return before === undefined || after === undefined ? undefined : (after - before) / count;
}

/** @param {HttpSample[]} samples @returns {HttpSample} */
function medians(samples) {
  const of = (/** @type {keyof HttpSample} */ key) =>
    median(samples.map((sample) => sample[key] ?? Number.NaN));
  return {
    perSecond: of("perSecond"),
    cpu: of("cpu"),
    p50: of("p50"),
    p99: of("p99"),
    clientBusy: of("clientBusy"),
    documentCpu: of("documentCpu"),
    peakMebibytes: of("peakMebibytes"),
  };
}

import { availableParallelism } from "node:os";
import { HttpClient } from "../clients/http-client.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { CALLS, modernCall } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros } from "../process-usage.mjs";
import { interleave, median } from "../statistics.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../clients/requests.mjs").Call} Call */

/**
 * @typedef {object} WorkersSample
 * @property {number} perSecond
 * @property {number} cpu microseconds of all the server's processes per request
 * @property {number} firstCpu the part of the process that started the others; 0 if there are no others
 * @property {number} reach share of the maximum that the processors allow next to the load generator
 */

/** Calls of each load, and whether each call opens its own connection. */
const LOADS = {
  add: { call: CALLS.add, mode: /** @type {const} */ ("modern"), isKept: true },
  "add, sessions": { call: CALLS.add, mode: /** @type {const} */ ("sessions"), isKept: true },
  "0.5 ms of work": { call: CALLS.compute, mode: /** @type {const} */ ("modern"), isKept: true },
  "add, a connection each": { call: CALLS.add, mode: /** @type {const} */ ("modern"), isKept: false },
};

/** Numbers of workers; 0: one process. */
const WORKERS = [0, 1, 2, 4];

/** @typedef {keyof typeof LOADS} Load */
/** @typedef {(milliseconds: number, most?: number) => Promise<{ count: number, seconds: number }>} Run */

const CONNECTIONS = 32;
/** The warm-up of each worker: calls, and the maximum time. With fewer calls, V8 would still be compiling. */
const WARM_UP = { calls: 15_000, milliseconds: 5000 };

/**
 * Measures the throughput of one process, and of workers that share a port.
 *
 * @param {Bench} bench @param {number} rounds @param {number} milliseconds for which each load lasts
 * @returns {Promise<Map<Load, Map<number, WorkersSample>>>} medians by load and number of workers; 0: one process alone
 */
export async function measureWorkers(bench, rounds, milliseconds) {
  const found = new Map();
  for (const load of /** @type {Load[]} */ (Object.keys(LOADS))) {
    const samples = await interleave(rounds, WORKERS.map(String), (workers) =>
      measureOnce(bench, load, Number(workers), milliseconds),
    );
    found.set(load, new Map([...samples].map(([workers, each]) => [Number(workers), medians(each)])));
  }
  return found;
}

/** @param {Bench} bench @param {Load} load @param {number} workers @param {number} milliseconds */
async function measureOnce(bench, load, workers, milliseconds) {
  const server = new ServerProcess(bench.workersCommand(workers));
  try {
    const url = await server.address();
    const pids = await server.untilStarted(workers);
    const run = await prepareLoad(url, load);
    const processes = Math.max(workers, 1);
    await run(WARM_UP.milliseconds * processes, WARM_UP.calls * processes);
    const before = pids.map(readCpu);
    const own = process.cpuUsage();
    const { count, seconds } = await run(milliseconds);
    const { user, system } = process.cpuUsage(own);
    const used = pids.map((pid, index) => readCpu(pid) - (before[index] ?? 0));
    const cpu = used.reduce((sum, each) => sum + each, 0) / count;
    const processors = Math.min(availableParallelism(), processes + 1);
    return {
      perSecond: count / seconds,
      cpu,
      firstCpu: workers === 0 ? 0 : (used[0] ?? 0) / count,
      reach: ((cpu + (user + system) / count) * count) / (seconds * 1e6 * processors),
    };
  } finally {
    await server.stop();
  }
}

/** @param {URL} url @param {Load} load @returns {Promise<Run>} */
async function prepareLoad(url, load) {
  const { call, mode, isKept } = LOADS[load];
  if (!isKept) return (milliseconds, most) => connectEach(url, call, milliseconds, most);
  const client = await HttpClient.open(url, mode, CONNECTIONS);
  return async (milliseconds, most = Infinity) => {
    const { latencies, seconds } = await client.load(call, { milliseconds, most });
    return { count: latencies.length, seconds };
  };
}

/**
 * Sends one request per connection, eight at a time.
 *
 * @param {URL} url @param {Call} call @param {number} milliseconds @param {number} [most]
 */
async function connectEach(url, call, milliseconds, most = Infinity) {
  const started = performance.now();
  const last = started + milliseconds;
  let count = 0;
  const one = async () => {
    while (performance.now() < last && count < most) {
      const connection = await HttpConnection.open(url);
      await modernCall(connection, call, ++count);
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return { count, seconds: (performance.now() - started) / 1000 };
}

/** @param {number} pid */
function readCpu(pid) {
  return cpuMicros(pid) ?? Number.NaN;
}

/** @param {WorkersSample[]} samples @returns {WorkersSample} */
function medians(samples) {
  const of = (/** @type {keyof WorkersSample} */ key) => median(samples.map((sample) => sample[key]));
  return { perSecond: of("perSecond"), cpu: of("cpu"), firstCpu: of("firstCpu"), reach: of("reach") };
}

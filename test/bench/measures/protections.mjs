import { HttpClient } from "../clients/http-client.mjs";
import { CALLS } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros } from "../process-usage.mjs";
import { interleave, median } from "../statistics.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../clients/requests.mjs").Call} Call */

/**
 * @typedef {object} ProtectionSample
 * @property {number} perSecond
 * @property {number} cpu microseconds of the server per call
 */

/** Protections that are enabled, by the name of the row. A scope is requested if the tool of the row requires one. */
const ROWS = /** @type {const} */ ({
  raw: undefined,
  "Tenon, no protection": [],
  "a token, remembered": ["auth"],
  "a token and a scope": ["auth", "scope"],
  "a rate limit": ["rate limit"],
  "custom middleware": ["middleware"],
  "an audit line per call": ["audit"],
  "telemetry, with no SDK loaded": ["telemetry"],
  "all of these": ["auth", "scope", "rate limit", "middleware", "audit", "telemetry"],
});

/** @typedef {keyof typeof ROWS} Row */

const CONNECTIONS = 32;
/** The number of warm-up calls. With fewer, V8 would still be compiling. */
const WARM_UP = 15_000;

/**
 * Measures the cost of each protection per call over HTTP at 2026-07-28, compared with a server without any.
 *
 * @param {Bench} bench @param {number} rounds @param {number} calls of each load
 * @returns {Promise<Map<string, ProtectionSample>>} medians by name
 */
export async function measureProtections(bench, rounds, calls) {
  const samples = await interleave(rounds, Object.keys(ROWS), (name) =>
    measureOnce(bench, /** @type {Row} */ (name), calls),
  );
  return new Map(
    [...samples].map(([name, each]) => [
      name,
      { perSecond: median(each.map(({ perSecond }) => perSecond)), cpu: median(each.map(({ cpu }) => cpu)) },
    ]),
  );
}

/** @param {Bench} bench @param {Row} row @param {number} calls @returns {Promise<ProtectionSample>} */
async function measureOnce(bench, row, calls) {
  /** @type {readonly string[] | undefined} */
  const on = ROWS[row];
  const command = on === undefined ? bench.command("raw", { http: true }) : bench.protectedCommand(on);
  const call = on?.includes("scope") === true ? { ...CALLS.add, ...callTo("addScoped") } : CALLS.add;
  const server = new ServerProcess(command);
  try {
    const headers = on?.includes("auth") === true ? { Authorization: "Bearer ada" } : {};
    const client = await HttpClient.open(await server.address(), "modern", CONNECTIONS, headers);
    await client.load(call, { most: WARM_UP });
    const before = cpuMicros(server.pid);
    const { latencies, seconds } = await client.load(call, { most: calls });
    const after = cpuMicros(server.pid);
    client.close();
    return {
      perSecond: latencies.length / seconds,
      cpu: before === undefined || after === undefined ? Number.NaN : (after - before) / latencies.length,
    };
  } finally {
    await server.stop();
  }
}

/** Returns the same call to another tool. @param {string} name @returns {Pick<Call, "name" | "params">} */
function callTo(name) {
  return { name, params: (turn) => ({ ...CALLS.add.params(turn), name }) };
}

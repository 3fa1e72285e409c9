import { HttpClient, openSession } from "../clients/http-client.mjs";
import { HttpConnection } from "../clients/http-connection.mjs";
import { Replicas } from "../clients/replicas.mjs";
import { CALLS, REVISION } from "../clients/requests.mjs";
import { interleave, median, percentile } from "../statistics.mjs";

/** @typedef {import("../clients/server-process.mjs").Command} Command */
/** @typedef {import("../clients/requests.mjs").Call} Call */

/**
 * @typedef {object} ThroughputSample
 * @property {number} perSecond
 * @property {number} cpu microseconds of all processes together per request
 * @property {number} redisCpu microseconds of Redis per request
 * @property {number} p50 in milliseconds
 */

/** A session's requests go to a process other than the one that opened it. */
const MODES = /** @type {const} */ ({
  "2026-07-28, without a store": { mode: "modern", tool: "add", store: "none" },
  "2026-07-28": { mode: "modern", tool: "add", store: "redis" },
  "sessions, without a store": { mode: "sessions", tool: "add", store: "none" },
  sessions: { mode: "sessions", tool: "add", store: "redis" },
  "2026-07-28, a rate limit": { mode: "modern", tool: "limited", store: "redis" },
});

const CONNECTIONS = 48;
/** The number of warm-up calls. With fewer, V8 would still be compiling. */
const WARM_UP_PER_PROCESS = 6000;

/**
 * Measures the throughput of 1, 2, and 3 processes with a store.
 *
 * @param {Command} command @param {number} rounds @param {number} milliseconds of each load
 * @returns {Promise<Map<string, { processes: number, sample: ThroughputSample }[]>>} medians, by kind of request
 */
export async function measureThroughput(command, rounds, milliseconds) {
  const names = [1, 2, 3].flatMap((processes) => Object.keys(MODES).map((name) => `${processes} ${name}`));
  const samples = await interleave(rounds, names, (name) => measureOnce(command, name, milliseconds));
  /** @type {Map<string, { processes: number, sample: ThroughputSample }[]>} */
  const found = new Map(Object.keys(MODES).map((name) => [name, []]));
  for (const [name, each] of samples) {
    const of = (/** @type {keyof ThroughputSample} */ key) => median(each.map((sample) => sample[key]));
    const sample = { perSecond: of("perSecond"), cpu: of("cpu"), redisCpu: of("redisCpu"), p50: of("p50") };
    found.get(name.slice(2))?.push({ processes: Number(name[0]), sample });
  }
  return found;
}

/** @param {Command} command @param {string} name @param {number} milliseconds @returns {Promise<ThroughputSample>} */
async function measureOnce(command, name, milliseconds) {
  const processes = Number(name[0]);
  const { mode, tool, store } = MODES[/** @type {keyof typeof MODES} */ (name.slice(2))];
  const replicas = await Replicas.start(
    { ...command, env: { ...command.env, BENCH_STORE: store } },
    processes,
  );
  try {
    const peers = [];
    for (let index = 0; index < CONNECTIONS; index++) {
      const connection = await HttpConnection.open(replicas.urlFor(index));
      const headers = { "MCP-Protocol-Version": REVISION[mode === "modern" ? "modern" : "legacy"] };
      if (mode === "modern") {
        peers.push({ connection, headers });
        continue;
      }
      const opening = await HttpConnection.open(replicas.urlFor(index + 1));
      peers.push({ connection, headers: { ...headers, ...(await openSession(opening)) } });
      opening.close();
    }
    const client = new HttpClient(mode, peers);
    const call = {
      ...CALLS.add,
      name: tool,
      params: (/** @type {number} */ turn) => ({ ...CALLS.add.params(turn), name: tool }),
    };
    await client.load(call, { most: WARM_UP_PER_PROCESS * processes });
    const before = replicas.cpu();
    const { latencies, seconds } = await client.load(call, { milliseconds });
    const after = replicas.cpu();
    client.close();
    return {
      perSecond: latencies.length / seconds,
      cpu: (after.servers - before.servers) / latencies.length,
      redisCpu: (after.redis - before.redis) / latencies.length,
      p50: percentile(latencies, 0.5),
    };
  } finally {
    await replicas.stop();
  }
}

import { fileURLToPath } from "node:url";
import { startFieldRedis } from "../clients/field-redis.mjs";
import { FieldUsers } from "../clients/field-users.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";
import { interleave, median, percentile } from "../statistics.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../scratch/field-servers.mjs").FieldServer} FieldServer */

/**
 * @typedef {object} FieldSample
 * @property {number} perSecond requests that the published benchmark counts
 * @property {number} cpu microseconds of all the server's processes per counted request
 * @property {number} p50 of tool calls, in milliseconds
 * @property {number} p99 of tool calls, in milliseconds
 * @property {number} mebibytes of all processes together
 */

/**
 * The servers, and the client with which their tools call the API.
 *
 * @type {Record<string, { server: FieldServer, client: string, hasSessions?: true }>}
 */
const SUBJECTS = {
  "as published": { server: "published", client: "fetch" },
  "raw, `fetch`": { server: "raw", client: "fetch" },
  "Tenon, `fetch`": { server: "tenon", client: "fetch" },
  "raw, undici": { server: "raw", client: "undici" },
  "Tenon, undici": { server: "tenon", client: "undici" },
  "raw, sessions": { server: "raw", client: "undici", hasSessions: true },
  "Tenon, sessions": { server: "tenon", client: "undici", hasSessions: true },
};

/** Numbers of workers; 0: one process. The published benchmark has four. */
const WORKERS = [0, 4];
const USERS = 50;
/**
 * The warm-up of each process that serves, until V8 has compiled the code: the same number of requests for all servers, except
 * for those that are too slow.
 */
const WARM_UP = { requests: 15_000, milliseconds: 40_000 };
const API = fileURLToPath(new URL("../subjects/field/api.mjs", import.meta.url));

/**
 * Measures the workload of the benchmark that is quoted for MCP servers: three tools over Redis and an HTTP API. All
 * servers run from beginning to end, and are idle while another one is measured.
 *
 * @param {Bench} bench @param {number} rounds @param {number} milliseconds of each load
 * @returns {Promise<Map<string, Map<number, FieldSample>>>} medians by subject and number of workers
 */
export async function measureField(bench, rounds, milliseconds) {
  const redis = await startFieldRedis();
  const api = new ServerProcess({ args: [API], cwd: bench.folder });
  /** @type {Map<string, FieldProcesses>} */
  const started = new Map();
  try {
    const services = { FIELD_REDIS: redis.url, FIELD_API: (await api.address()).origin };
    for (const workers of WORKERS) {
      for (const [subject, { server, client, hasSessions }] of Object.entries(SUBJECTS)) {
        const command = bench.fieldCommand(server, workers);
        const env = {
          ...command.env,
          ...services,
          FIELD_CLIENT: client,
          ...(hasSessions && { FIELD_SESSIONS: "1" }),
        };
        const processes = await FieldProcesses.start({ ...command, env }, workers);
        started.set(`${workers} ${subject}`, processes);
        await processes.warmUp(workers, milliseconds);
      }
    }
    const samples = await interleave(rounds, [...started.keys()], (name) =>
      /** @type {FieldProcesses} */ (started.get(name)).measure(milliseconds),
    );
    return new Map(
      Object.keys(SUBJECTS).map((subject) => [
        subject,
        new Map(WORKERS.map((workers) => [workers, medians(samples.get(`${workers} ${subject}`) ?? [])])),
      ]),
    );
  } finally {
    for (const each of started.values()) await each.server.stop();
    await api.stop();
    await redis.close();
  }
}

/** The processes of one server. */
class FieldProcesses {
  /** @param {ServerProcess} server @param {readonly number[]} pids @param {URL} url */
  constructor(server, pids, url) {
    this.server = server;
    this.pids = pids;
    this.url = url;
  }

  /** @param {import("../clients/server-process.mjs").Command} command @param {number} workers */
  static async start(command, workers) {
    const server = new ServerProcess(command);
    return new FieldProcesses(server, await server.untilStarted(workers), await server.address());
  }

  /** @param {number} workers @param {number} milliseconds of each load */
  async warmUp(workers, milliseconds) {
    const last = performance.now() + WARM_UP.milliseconds;
    const due = WARM_UP.requests * Math.max(workers, 1);
    for (let requests = 0; requests < due && performance.now() < last;) {
      requests += (await this.#load(milliseconds)).counted;
    }
  }

  /** @param {number} milliseconds @returns {Promise<FieldSample>} */
  async measure(milliseconds) {
    const before = this.#cpu();
    const { counted, latencies, seconds } = await this.#load(milliseconds);
    return {
      perSecond: counted / seconds,
      cpu: (this.#cpu() - before) / counted,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      mebibytes: sum(this.pids.map((pid) => residentMebibytes(pid, "VmRSS") ?? Number.NaN)),
    };
  }

  /** @param {number} milliseconds */
  async #load(milliseconds) {
    const users = await FieldUsers.open(this.url, USERS);
    try {
      return await users.load(milliseconds);
    } finally {
      users.close();
    }
  }

  #cpu() {
    return sum(this.pids.map((pid) => cpuMicros(pid) ?? Number.NaN));
  }
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, each) => total + each, 0);
}

/** @param {FieldSample[]} samples @returns {FieldSample} */
function medians(samples) {
  const of = (/** @type {keyof FieldSample} */ key) => median(samples.map((sample) => sample[key]));
  return {
    perSecond: of("perSecond"),
    cpu: of("cpu"),
    p50: of("p50"),
    p99: of("p99"),
    mebibytes: of("mebibytes"),
  };
}

import { RedisServer } from "../../support/redis-server.mjs";
import { cpuMicros, residentMebibytes } from "../process-usage.mjs";
import { ServerProcess } from "./server-process.mjs";

/** Several processes of one server, with a separate Redis. */
export class Replicas {
  /**
   * @param {readonly ServerProcess[]} processes @param {readonly URL[]} urls
   * @param {RedisServer} redis @param {number} redisPid
   */
  constructor(processes, urls, redis, redisPid) {
    this.processes = processes;
    this.urls = urls;
    this.redis = redis;
    this.redisPid = redisPid;
  }

  /** @param {import("./server-process.mjs").Command} command @param {number} count */
  static async start(command, count) {
    const redis = await RedisServer.start();
    const env = {
      ...command.env,
      TENON_REDIS_URL: redis.url,
      TENON_STATE_KEYS: "a key that is the same for all replicas",
    };
    const processes = Array.from({ length: count }, () => new ServerProcess({ ...command, env }));
    const urls = await Promise.all(processes.map((each) => each.address()));
    const [, pid = "0"] = /process_id:(\d+)/.exec(await redis.command("INFO", "server")) ?? [];
    return new Replicas(processes, urls, redis, Number(pid));
  }

  /** @param {number} index of the client or request that is assigned to a process @returns {URL} */
  urlFor(index) {
    return /** @type {URL} */ (this.urls[index % this.urls.length]);
  }

  /** Returns the processor time in microseconds. */
  cpu() {
    const servers = this.processes.reduce((sum, { pid }) => sum + (cpuMicros(pid) ?? Number.NaN), 0);
    return { servers, redis: cpuMicros(this.redisPid) ?? Number.NaN };
  }

  /** Returns the memory that all processes use together, and the memory that Redis uses. */
  async mebibytes() {
    const servers = this.processes.reduce(
      (sum, { pid }) => sum + (residentMebibytes(pid, "VmRSS") ?? Number.NaN),
      0,
    );
    const [, used = "NaN"] = /used_memory:(\d+)/.exec(await this.redis.command("INFO", "memory")) ?? [];
    return { servers, redis: Number(used) / 1024 ** 2 };
  }

  async stop() {
    await Promise.all(this.processes.map((each) => each.stop()));
    await this.redis.close();
  }
}

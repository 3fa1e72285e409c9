import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Returns why Redis cannot be started on this machine, or `undefined` if it can. If Redis is required
 * (`TENON_NEEDS_REDIS`, as in CI), it throws instead.
 *
 * @returns {string | undefined}
 */
export function missingRedis() {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    const reason = "`redis-server` is not on the PATH (on Debian: apt-get install redis-server).";
    if (process.env["TENON_NEEDS_REDIS"] === undefined) return reason;
    throw new Error(reason);
  }
}

/**
 * Starts Redis, and ends it when its own stdin ends, that is, when the parent process has exited for any reason.
 */
const GUARDED = 'redis-server "$@" & child=$!; read -r _; kill -9 $child; wait $child 2>&-';

/** A real Redis for one test, on a free port of 127.0.0.1 and with its own folder. */
export class RedisServer {
  #port;
  #args;
  #folder = mkdtempSync(join(tmpdir(), "tenon-redis-"));
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #guard;
  /** The process while it is paused. @type {number | undefined} */
  #frozen;

  /** @param {number} port @param {readonly string[]} args */
  constructor(port, args) {
    this.#port = port;
    this.#args = args;
  }

  /**
   * Starts a Redis that writes nothing to disk.
   *
   * @param {...string} args Further options, such as `--maxmemory 2mb` or `--appendonly yes`.
   */
  static async start(...args) {
    const server = new RedisServer(await freePort(), args);
    await server.start();
    return server;
  }

  get url() {
    return `redis://127.0.0.1:${this.#port}`;
  }

  get port() {
    return this.#port;
  }

  /** Starts or restarts the server with the data on disk. Resolves when it accepts commands. */
  async start() {
    const fixed = [
      ["--port", String(this.#port)],
      ["--bind", "127.0.0.1"],
      ["--dir", this.#folder],
      ["--save", ""],
      ["--appendfsync", "always"],
      ["--enable-debug-command", "yes"],
      ["--loglevel", "warning"],
      // A replica receives its copy as soon as it requests it.
      ["--repl-diskless-sync-delay", "0"],
    ];
    this.#guard = spawn("sh", ["-c", GUARDED, "sh", ...fixed.flat(), ...this.#args], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    for (;;) {
      const answer = await this.command("PING").catch(() => "");
      if (answer === "PONG" || answer.startsWith("LOADING")) return;
      if (this.#guard.exitCode !== null) throw new Error("redis-server did not start.");
    }
  }

  /** Returns the number of keys in a database, and the keys that never expire. */
  async countKeys(database = 0) {
    const script = `
      local endless = {}
      for _, key in ipairs(redis.call("KEYS", "*")) do
        if redis.call("PTTL", key) < 0 then endless[#endless + 1] = key end
      end
      return { redis.call("DBSIZE"), unpack(endless, 1, math.min(#endless, 20)) }`;
    const [count, ...endless] = (await this.command("-n", database, "EVAL", script, 0)).split("\n");
    return { count: Number(count), endless: endless.filter(Boolean) };
  }

  /** Runs a command and returns its response as `redis-cli` prints it. @param {...(string | number)} command @returns {Promise<string>} */
  async command(...command) {
    const { stdout } = await promisify(execFile)(
      "redis-cli",
      ["-h", "127.0.0.1", "-p", String(this.#port), ...command.map(String)],
      { maxBuffer: 1 << 26 },
    );
    return stdout.trimEnd();
  }

  /** Pauses the server until `thaw`, with all connections open. */
  async freeze() {
    const [, pid] = /process_id:(\d+)/.exec(await this.command("INFO", "server")) ?? [];
    this.#frozen = Number(pid);
    process.kill(this.#frozen, "SIGSTOP");
  }

  thaw() {
    if (this.#frozen !== undefined) process.kill(this.#frozen, "SIGCONT");
    this.#frozen = undefined;
  }

  /** Moves the server to a port where another one listened before. @param {number} port */
  async moveTo(port) {
    await this.command("CONFIG", "SET", "port", port);
    this.#port = port;
  }

  /** Kills the server, as a power failure does. The next `start` reads the data on disk. */
  async kill() {
    const guard = this.#guard;
    if (guard === undefined) return;
    this.#guard = undefined;
    this.#frozen = undefined;
    const ended = once(guard, "exit");
    guard.stdin?.end();
    await ended;
  }

  /** Stops the server, and removes its folder. */
  async close() {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Finds a free port. @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
